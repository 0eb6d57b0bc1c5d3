{{/* Labels that select the pods of a role: include with (list . "api"). */}}
{{- define "rodado.selector" -}}
app.kubernetes.io/name: rodado
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "rodado.labels" -}}
{{ include "rodado.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{- define "rodado.name" -}}
{{ printf "%s-%s" (index . 0).Release.Name (index . 1) | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "rodado.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* What every pod has, whatever its role. */}}
{{- define "rodado.pod" -}}
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- end }}

{{/* What every container has. */}}
{{- define "rodado.container" -}}
image: {{ include "rodado.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end }}

{{/* The settings, without those of a role and those of the Secret. */}}
{{- define "rodado.env" -}}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* Both deployments: include with (list . "api"). */}}
{{- define "rodado.deployment" -}}
{{- $top := index . 0 }}
{{- $role := index . 1 }}
{{- $values := index $top.Values $role }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "rodado.name" . }}
  labels: {{- include "rodado.labels" . | nindent 4 }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels: {{- include "rodado.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    # A node of the new version is ready before one of the former version stops.
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels: {{- include "rodado.labels" . | nindent 8 }}
    spec:
      {{- include "rodado.pod" $top | nindent 6 }}
      terminationGracePeriodSeconds: {{ $top.Values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "rodado.selector" . | nindent 14 }}
      containers:
        - name: {{ $role }}
          {{- include "rodado.container" $top | nindent 10 }}
          command: [rodado, serve]
          env:
            - { name: ROLE, value: {{ $role }} }
            - { name: HOST, value: 0.0.0.0 }
            - { name: PORT, value: "3000" }
            {{- if $top.Values.metrics.enabled }}
            - { name: METRICS_HOST, value: 0.0.0.0 }
            - { name: METRICS_PORT, value: {{ $top.Values.metrics.port | quote }} }
            {{- end }}
            {{- include "rodado.env" $top | nindent 12 }}
          envFrom:
            - secretRef: { name: {{ $top.Values.existingSecret }} }
          ports:
            - { name: http, containerPort: 3000 }
            {{- if $top.Values.metrics.enabled }}
            - { name: metrics, containerPort: {{ $top.Values.metrics.port }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 2
            failureThreshold: 150
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 2
            timeoutSeconds: 3
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          resources: {{- toYaml $values.resources | nindent 12 }}
{{- end }}
