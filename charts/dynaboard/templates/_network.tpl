{{/* One namespace. Before 1.21 namespaces had no label with their name: any then, and the pods' labels decide. */}}
{{- define "dynaboard.namespaceSelector" -}}
{{- if semverCompare ">=1.21-0" .root.Capabilities.KubeVersion.Version -}}
matchLabels: {kubernetes.io/metadata.name: {{ .namespace }}}
{{- else -}}
{}
{{- end -}}
{{- end -}}

{{/* One rule: TCP to these ports, anywhere unless `to` says where. */}}
{{- define "dynaboard.egress" -}}
- ports:
    {{- range .ports }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "dynaboard.egressDns" -}}
- ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - {port: {{ . }}, protocol: UDP}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- with .Values.networkPolicy.dns.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "dynaboard.egressDatabase" -}}
{{- $to := .Values.networkPolicy.database.to -}}
{{- $port := .Values.database.port -}}
{{- if .Values.trial.postgresql.enabled -}}
{{- $to = list (include "dynaboard.podsOf" (dict "root" . "component" "postgresql") | fromYaml) -}}
{{- $port = 5432 -}}
{{- end -}}
{{ include "dynaboard.egress" (dict "ports" (list $port) "to" $to) }}
{{- end -}}

{{- define "dynaboard.egressStorage" -}}
{{- $to := .Values.networkPolicy.storage.to -}}
{{- $port := 9000 -}}
{{- if .Values.trial.s3.enabled -}}
{{- $to = list (include "dynaboard.podsOf" (dict "root" . "component" "s3") | fromYaml) -}}
{{- else -}}
{{- $port = include "dynaboard.portOf" .Values.storage.url -}}
{{- end -}}
{{ include "dynaboard.egress" (dict "ports" (list $port) "to" $to) }}
{{- end -}}

{{- define "dynaboard.podsOf" -}}
podSelector:
  matchLabels: {{- include "dynaboard.selector" . | nindent 4 }}
{{- end -}}
