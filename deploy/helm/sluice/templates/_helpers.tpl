{{- define "sluice.fullname" -}}
{{- if contains "sluice" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-sluice" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Where the parts of the service that all replicas share are. */}}
{{- define "sluice.sharedEnv" -}}
- name: SLUICE_ENCRYPTION_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.existingSecret | quote }}, key: encryption-key } }
- name: SLUICE_SECRET
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.existingSecret | quote }}, key: secret } }
- name: SLUICE_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.existingSecret | quote }}, key: api-key, optional: true } }
- name: SLUICE_ADMIN_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.existingSecret | quote }}, key: admin-password, optional: true } }
- name: SLUICE_METRICS_TOKEN
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.existingSecret | quote }}, key: metrics-token, optional: {{ not .Values.serviceMonitor.enabled }} } }
- name: SLUICE_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.database.existingSecret | quote }}, key: url } }
- name: SLUICE_DATABASE_DIRECT_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.database.existingSecret | quote }}, key: direct-url, optional: true } }
- name: SLUICE_DATABASE_READ_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.database.existingSecret | quote }}, key: read-url, optional: true } }
{{- with .Values.redis.existingSecret }}
- name: SLUICE_REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: url } }
{{- end }}
{{- with .Values.s3 }}
{{- if .bucket }}
- name: SLUICE_S3_ENDPOINT
  value: {{ required "s3.endpoint is needed for s3.bucket" .endpoint | quote }}
- name: SLUICE_S3_BUCKET
  value: {{ .bucket | quote }}
- name: SLUICE_S3_REGION
  value: {{ .region | quote }}
- name: SLUICE_S3_PREFIX
  value: {{ .prefix | quote }}
- name: SLUICE_S3_FORCE_PATH_STYLE
  value: {{ .forcePathStyle | quote }}
- name: SLUICE_S3_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ required "s3.existingSecret is needed for s3.bucket" .existingSecret | quote }}, key: access-key-id } }
- name: SLUICE_S3_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ .existingSecret | quote }}, key: secret-access-key } }
{{- end }}
{{- end }}
{{- with .Values.baseUrl }}
- name: SLUICE_BASE_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.trustedProxies }}
- name: SLUICE_TRUSTED_PROXIES
  value: {{ . | quote }}
{{- end }}
- name: SLUICE_DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "sluice.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: { drop: [ALL] }
{{- end }}
