{{/* Nothing of ours needs root, or a root file system that can be written. */}}
{{- define "dynaboard.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "dynaboard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: {drop: [ALL]}
{{- end -}}

{{/* The user of the services' image. */}}
{{- define "dynaboard.uid" -}}10001{{- end -}}

{{- define "dynaboard.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Environment variables: name, and the key of a Secret. */}}
{{- define "dynaboard.fromSecret" -}}
- name: {{ .variable }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}}}
{{- end -}}

{{- define "dynaboard.databaseEnv" -}}
{{- if .Values.trial.postgresql.enabled -}}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_DATABASE_URL" "secret" (printf "%s-trial" (include "dynaboard.fullname" .)) "key" "database-url") }}
{{- else -}}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_DATABASE_URL" "secret" .Values.database.existingSecret "key" .Values.database.secretKey) }}
{{- end -}}
{{- end -}}

{{- define "dynaboard.storageEnv" -}}
{{- $secret := .Values.storage.existingSecret -}}
{{- $access := .Values.storage.accessKeyKey -}}
{{- $key := .Values.storage.secretKeyKey -}}
{{- if .Values.trial.s3.enabled -}}
{{- $secret = printf "%s-trial" (include "dynaboard.fullname" .) -}}
{{- $access = "access-key" -}}
{{- $key = "secret-key" -}}
{{- end -}}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_S3_ACCESS_KEY" "secret" $secret "key" $access) }}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_S3_SECRET_KEY" "secret" $secret "key" $key) }}
{{- end -}}

{{/* Secrets of a service: each gets those that it needs. Takes (dict "root" $ "component" …). */}}
{{- define "dynaboard.secretEnv" -}}
{{- $secret := include "dynaboard.secretName" .root -}}
{{ include "dynaboard.databaseEnv" .root }}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_INTERNAL_TOKEN" "secret" $secret "key" "internal-token") }}
{{- if eq .component "gateway" }}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_ADMIN_KEY" "secret" $secret "key" "admin-key") }}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_TELEMETRY_TOKEN" "secret" $secret "key" "telemetry-token") }}
{{- else }}
{{ include "dynaboard.storageEnv" .root }}
{{- end }}
{{- if eq .component "scoring" }}
{{ include "dynaboard.fromSecret" (dict "variable" "DYNABOARD_SIGNING_KEY" "secret" $secret "key" "signing-key") }}
{{- end }}
{{- end -}}

{{/* A new pod waits until the tables are at least as new as its code; who migrates is migrations.yaml. */}}
{{- define "dynaboard.awaitMigrations" -}}
- name: await-migrations
  image: {{ include "dynaboard.servicesImage" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args: [await-migrations]
  env:
    {{- include "dynaboard.databaseEnv" . | nindent 4 }}
  resources: {{- toYaml .Values.migrations.resources | nindent 4 }}
  securityContext: {{- include "dynaboard.containerSecurity" . | nindent 4 }}
  volumeMounts:
    - {name: tmp, mountPath: /tmp}
    - {name: data, mountPath: /data}
{{- end -}}

{{/* The settings of a service as DYNABOARD_… lines: the chart's own, the common ones, the service's own, which win. */}}
{{- define "dynaboard.settings" -}}
{{- $root := .root -}}
{{- $values := get $root.Values .component -}}
{{- $name := include "dynaboard.fullname" $root -}}
{{- $ports := include "dynaboard.ports" $root | fromJson -}}
{{- $settings := dict "DYNABOARD_HOST" "0.0.0.0" "DYNABOARD_PORT" (get $ports .component) "DYNABOARD_DATA_DIR" "/data" -}}
{{- $settings = set $settings "DYNABOARD_DRAIN_S" $values.drainSeconds -}}
{{- $settings = set $settings "DYNABOARD_FINISH_S" $values.finishSeconds -}}
{{- if $root.Values.trial.s3.enabled -}}
{{- $settings = set $settings "DYNABOARD_S3_URL" (printf "http://%s-s3:9000" $name) -}}
{{- else -}}
{{- $settings = set $settings "DYNABOARD_S3_URL" $root.Values.storage.url -}}
{{- end -}}
{{- $settings = set $settings "DYNABOARD_S3_BUCKET" $root.Values.storage.bucket -}}
{{- $settings = set $settings "DYNABOARD_S3_REGION" $root.Values.storage.region -}}
{{- if eq .component "gateway" -}}
{{- range $other := list "upload" "evaluator" "scoring" -}}
{{- $settings = set $settings (printf "DYNABOARD_%s_URL" (upper $other)) (printf "http://%s-%s:%v" $name $other (get $ports $other)) -}}
{{- end -}}
{{- else if eq .component "evaluator" -}}
{{- $settings = merge $settings (include "dynaboard.evaluatorSettings" $root | fromYaml) -}}
{{- end -}}
{{- /* Not by `merge`, to which 0 and false are nothing. */ -}}
{{- range $said := list $root.Values.settings $values.settings -}}
{{- range $key, $value := $said -}}
{{- $settings = set $settings $key $value -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := $settings }}
{{ $key }}: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end }}
{{- end -}}

{{- define "dynaboard.evaluatorSettings" -}}
{{- $models := .Values.models -}}
DYNABOARD_DEPLOYER: kubernetes
DYNABOARD_SANDBOX: required
DYNABOARD_EVALUATORS: {{ .Values.evaluator.autoscaling.enabled | ternary .Values.evaluator.autoscaling.maxReplicas .Values.evaluator.replicas }}
DYNABOARD_MODEL_MEMORY_BYTES: {{ include "dynaboard.bytes" $models.memory }}
DYNABOARD_MODEL_THREADS: {{ $models.threads }}
DYNABOARD_MEASUREMENT_PROFILE: {{ .Values.measurement.profile }}
DYNABOARD_MEMORY_SAMPLER: {{ .Values.measurement.memorySampler }}
DYNABOARD_PROMETHEUS_URL: {{ .Values.measurement.prometheus.url | quote }}
DYNABOARD_PROMETHEUS_SELECTOR: {{ .Values.measurement.prometheus.selector | quote }}
DYNABOARD_PROMETHEUS_SCRAPE_S: {{ .Values.measurement.prometheus.scrapeSeconds }}
DYNABOARD_KUBERNETES_NAMESPACE: {{ include "dynaboard.modelsNamespace" . }}
DYNABOARD_KUBERNETES_IMAGE: {{ include "dynaboard.image" (dict "image" .Values.modelServer.image "tag" .Chart.AppVersion) | quote }}
DYNABOARD_KUBERNETES_IMAGE_PULL_SECRETS: {{ $models.imagePullSecrets | toJson }}
DYNABOARD_KUBERNETES_RUNTIME_CLASS: {{ $models.runtimeClass | quote }}
DYNABOARD_KUBERNETES_NODE_SELECTOR: {{ $models.nodeSelector | toJson }}
DYNABOARD_KUBERNETES_INTERACTIVE_NODE_SELECTOR: {{ $models.interactiveNodeSelector | toJson }}
DYNABOARD_KUBERNETES_TOLERATIONS: {{ $models.tolerations | toJson }}
DYNABOARD_KUBERNETES_CPU: {{ $models.cpu }}
DYNABOARD_KUBERNETES_SERVER_MEMORY_BYTES: {{ include "dynaboard.bytes" $models.serverMemory }}
DYNABOARD_KUBERNETES_DISK_BYTES: {{ include "dynaboard.bytes" $models.disk }}
DYNABOARD_KUBERNETES_SCHEDULING_S: {{ $models.schedulingSeconds }}
DYNABOARD_KUBERNETES_IMAGE_PULL_S: {{ $models.imagePullSeconds }}
{{- end -}}

{{/* The volume `data` of a StatefulSet, where it is kept. */}}
{{- define "dynaboard.claim" -}}
{{- if .persistence.enabled -}}
volumeClaimTemplates:
  - metadata:
      name: data
      labels: {{- .selector | nindent 8 }}
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .persistence.storageClass }}
      storageClassName: {{ . }}
      {{- end }}
      resources:
        requests: {storage: {{ .persistence.size }}}
{{- end -}}
{{- end -}}
