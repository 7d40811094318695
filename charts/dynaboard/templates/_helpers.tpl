{{/* Names: the release's, with the chart's name unless it holds it already. */}}
{{- define "dynaboard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Room is left for the longest suffix, "-migrate-install". */}}
{{- define "dynaboard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 46 | trimSuffix "-" -}}
{{- else if contains (include "dynaboard.name" .) .Release.Name -}}
{{- .Release.Name | trunc 46 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "dynaboard.name" .) | trunc 46 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "dynaboard.modelsNamespace" -}}
{{- $namespace := default (printf "%s-models" .Release.Namespace) .Values.models.namespace -}}
{{- if eq $namespace .Release.Namespace -}}
{{- fail "models.namespace must be another one than the release's: everything in it is cut off from the network" -}}
{{- end -}}
{{- $namespace -}}
{{- end -}}

{{/* What selects the pods of a component; takes (dict "root" $ "component" "gateway"). Never changes: selectors cannot. */}}
{{- define "dynaboard.selector" -}}
app.kubernetes.io/name: {{ include "dynaboard.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The recommended labels. */}}
{{- define "dynaboard.labels" -}}
{{ include "dynaboard.selector" . }}
app.kubernetes.io/part-of: dynaboard
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{/* What a model's pod is known by; the evaluator makes these pods. */}}
{{- define "dynaboard.modelLabels" -}}
app.kubernetes.io/name: dynaboard-model
{{- end -}}

{{/* registry/repository:tag, or @digest; takes (dict "image" … "tag" "default tag"). */}}
{{- define "dynaboard.image" -}}
{{- with .image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- .image.repository -}}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ default .tag .image.tag }}{{ end -}}
{{- end -}}

{{- define "dynaboard.servicesImage" -}}
{{- include "dynaboard.image" (dict "image" .Values.image "tag" .Chart.AppVersion) -}}
{{- end -}}

{{/* Bytes of a quantity such as 4Gi. */}}
{{- define "dynaboard.bytes" -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $number := regexFind "^[0-9]+" (toString .) -}}
{{- $unit := trimPrefix $number (toString .) -}}
{{- mul (int64 $number) (int64 (get $units $unit)) -}}
{{- end -}}

{{/* Port of an http(s) address. */}}
{{- define "dynaboard.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- if $port }}{{ $port }}{{ else if eq $url.scheme "https" }}443{{ else }}80{{ end -}}
{{- end -}}

{{- define "dynaboard.secretName" -}}
{{- default (include "dynaboard.fullname" .) .Values.secrets.existingSecret -}}
{{- end -}}

{{/* The components in the order of their ports, which are the settings' own. */}}
{{- define "dynaboard.ports" -}}
{"gateway": 8000, "upload": 8001, "evaluator": 8002, "scoring": 8003}
{{- end -}}

{{/* What contradicts itself is refused before anything is made. */}}
{{- define "dynaboard.check" -}}
{{- if not (or .Values.trial.postgresql.enabled .Values.database.existingSecret) -}}
{{- fail "name a PostgreSQL in database.existingSecret, or set trial.postgresql.enabled=true to try things out" -}}
{{- end -}}
{{- if and .Values.trial.postgresql.enabled .Values.database.existingSecret -}}
{{- fail "database.existingSecret and trial.postgresql.enabled exclude each other" -}}
{{- end -}}
{{- if not (or .Values.trial.s3.enabled (and .Values.storage.url .Values.storage.existingSecret)) -}}
{{- fail "name an S3 server in storage.url and storage.existingSecret, or set trial.s3.enabled=true to try things out" -}}
{{- end -}}
{{- if and .Values.trial.s3.enabled .Values.storage.url -}}
{{- fail "storage.url and trial.s3.enabled exclude each other" -}}
{{- end -}}
{{- if and (eq .Values.measurement.memorySampler "prometheus") (not .Values.measurement.prometheus.url) -}}
{{- fail "measurement.memorySampler=prometheus needs measurement.prometheus.url" -}}
{{- end -}}
{{- end -}}
