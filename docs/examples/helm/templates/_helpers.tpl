{{- define "voice.name" -}}
{{- $full := printf "%s-%s" .Release.Name .Chart.Name }}
{{- ternary .Release.Name $full (contains .Chart.Name .Release.Name) | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "voice.secret" -}}
{{- default (include "voice.name" .) .Values.secrets.existing }}
{{- end }}

{{/* (dict "root" $ "part" "engine") */}}
{{- define "voice.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "voice.labels" -}}
{{ include "voice.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* What engines and APIs have alike. What a map names later counts: the part's own variables before those of all. */}}
{{- define "voice.env" -}}
{{- $own := dict
  "APP_ENV" "production"
  "DATA_DIR" "/data"
  "PUBLIC_URL" (printf "https://%s" .root.Values.publicHost)
  "S3_ENDPOINT" .root.Values.objectStore.endpoint
  "S3_BUCKET" .root.Values.objectStore.bucket
  "S3_REGION" .root.Values.objectStore.region }}
{{- range $name, $value := mergeOverwrite $own .root.Values.env .more }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "voice.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
