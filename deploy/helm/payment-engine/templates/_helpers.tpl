{{- define "payment-engine.name" -}}
{{- .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "payment-engine.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "payment-engine.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "payment-engine.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}

{{- define "payment-engine.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: payment-engine
{{- end }}

{{- /* The label of what runs an image. Arguments: root, tag */ -}}
{{- define "payment-engine.version" -}}
app.kubernetes.io/version: {{ .tag | default .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
{{- end }}

{{- /* Arguments: root, process */ -}}
{{- define "payment-engine.selector" -}}
app.kubernetes.io/name: {{ include "payment-engine.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- /* Arguments: root, tag */ -}}
{{- define "payment-engine.image" -}}
{{- $image := .root.Values.image -}}
{{- if .tag -}}
{{ $image.repository }}:{{ .tag }}
{{- else if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* What the chart knows of each process: program, port and the settings that it reads. */ -}}
{{- define "payment-engine.processes" -}}
{{ .Files.Get "files/processes.json" }}
{{- end }}

{{- /*
The environment of a process: the settings that it reads, of those that are given; and its secrets by reference.
Arguments: root, process
*/ -}}
{{- define "payment-engine.env" -}}
{{- $values := .root.Values -}}
{{- $process := .process -}}
{{- $known := get (include "payment-engine.processes" .root | fromJson) $process -}}
{{- $reads := $known.reads -}}
{{- range $name, $value := $known.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if and (eq $process "api") $values.gateway.enabled }}
- name: GATEWAY_IN_API
  value: "false"
{{- end }}
{{- if eq $process "dashboard" }}
- name: DASHBOARD_API_URL
  value: http://{{ include "payment-engine.fullname" .root }}-api:3000
{{- end }}
{{- range $name, $value := $values.settings }}
{{- if and (has $name $reads) (not (hasKey $known.settings $name)) }}
{{- /* Helm reads numbers as floats, and would write 1000000 as 1e+06. */}}
{{- $isWhole := and (kindIs "float64" $value) (eq (toString (floor $value)) (toString $value)) }}
- name: {{ $name }}
  value: {{ $isWhole | ternary (int64 $value) $value | toString | quote }}
{{- end }}
{{- end }}
{{- if and $values.temporalTls.secret (has "TEMPORAL_TLS" $reads) }}
- name: TEMPORAL_TLS
  value: "true"
{{- if $values.temporalTls.authority }}
- name: TEMPORAL_TLS_CA_FILE
  value: /etc/temporal-tls/ca.crt
{{- end }}
{{- if $values.temporalTls.clientCertificate }}
- name: TEMPORAL_TLS_CERT_FILE
  value: /etc/temporal-tls/tls.crt
- name: TEMPORAL_TLS_KEY_FILE
  value: /etc/temporal-tls/tls.key
{{- end }}
{{- end }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ $values.secrets.name }}
      key: {{ get $values.secrets.databaseUrlKeys $process }}
{{- range $name := $values.secrets.keys }}
{{- if has $name $reads }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $values.secrets.name }}
      key: {{ $name }}
{{- end }}
{{- end }}
{{- end }}

{{- define "payment-engine.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "payment-engine.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Arguments: root, process */ -}}
{{- define "payment-engine.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.databaseAuthority.configMap }}
- name: postgresql-ca
  mountPath: /etc/postgresql-ca
  readOnly: true
{{- end }}
{{- if and .root.Values.temporalTls.secret (has .process (list "api" "worker")) }}
- name: temporal-tls
  mountPath: /etc/temporal-tls
  readOnly: true
{{- end }}
{{- end }}

{{- define "payment-engine.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if .root.Values.databaseAuthority.configMap }}
- name: postgresql-ca
  configMap:
    name: {{ .root.Values.databaseAuthority.configMap }}
{{- end }}
{{- if and .root.Values.temporalTls.secret (has .process (list "api" "worker")) }}
- name: temporal-tls
  secret:
    secretName: {{ .root.Values.temporalTls.secret }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{- /* The pull secrets of a pod, its priority, and the nodes where it may run. Arguments: root, values */ -}}
{{- define "payment-engine.placement" -}}
{{- $values := .root.Values -}}
{{- $given := dict
  "imagePullSecrets" $values.imagePullSecrets
  "priorityClassName" $values.priorityClassName
  "nodeSelector" .values.nodeSelector
  "tolerations" .values.tolerations
  "affinity" .values.affinity -}}
{{- range $name, $value := $given }}
{{- if $value }}
{{ dict $name $value | toYaml }}
{{- end }}
{{- end }}
{{- end }}

{{- /*
A Deployment. Arguments: root, process, values, name, tag, replicas (none where something scales it)
*/ -}}
{{- define "payment-engine.deployment" -}}
{{- $root := .root -}}
{{- $known := get (include "payment-engine.processes" $root | fromJson) .process -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- include "payment-engine.labels" $root | nindent 4 }}
    {{- include "payment-engine.version" . | nindent 4 }}
    {{- include "payment-engine.selector" . | nindent 4 }}
spec:
  {{- if not (kindIs "invalid" .replicas) }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "payment-engine.selector" . | nindent 6 }}
      payment-engine/release: {{ .release | quote }}
  template:
    metadata:
      labels:
        {{- include "payment-engine.labels" $root | nindent 8 }}
        {{- include "payment-engine.version" . | nindent 8 }}
        {{- include "payment-engine.selector" . | nindent 8 }}
        payment-engine/release: {{ .release | quote }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "payment-engine.serviceAccount" $root }}
      automountServiceAccountToken: false
      {{- with include "payment-engine.placement" . | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      securityContext:
        {{- include "payment-engine.podSecurity" $root | nindent 8 }}
      terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "payment-engine.selector" . | nindent 14 }}
      containers:
        - name: {{ .process }}
          image: {{ include "payment-engine.image" . | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ $known.program }}]
          env:
            {{- include "payment-engine.env" . | trim | nindent 12 }}
            {{- with .values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: {{ $known.port }}
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- if ne .process "worker" }}
          # Connections still arrive for a moment after the pod has been taken out of the service.
          lifecycle:
            preStop:
              exec:
                command: [node, -e, 'setTimeout(() => {}, 5000)']
          {{- end }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            {{- include "payment-engine.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            {{- include "payment-engine.mounts" . | nindent 12 }}
      volumes:
        {{- include "payment-engine.volumes" . | nindent 8 }}
{{- end }}
