{{- define "levada.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* 50 characters: names of Services are made from it. */}}
{{- define "levada.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "levada.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "levada.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "levada.selector" -}}
app.kubernetes.io/name: {{ include "levada.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "levada.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "levada.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "levada.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "levada.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "levada.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* "true" when the worker stores records itself. */}}
{{- define "levada.embedded" -}}
{{- if not .Values.kafka.bootstrapServers }}true{{ end }}
{{- end }}

{{- define "levada.replicas" -}}
{{- if include "levada.embedded" . }}1{{ else }}{{ int64 .Values.replicas }}{{ end }}
{{- end }}

{{/* Names under which clients reach the REST interface. */}}
{{- define "levada.hosts" -}}
{{- $service := printf "%s.%s" (include "levada.fullname" .) .Release.Namespace }}
{{- concat (list $service (printf "%s.svc" $service)) (ternary .Values.ingress.hosts list .Values.ingress.enabled) | join "," }}
{{- end }}

{{/* A value as text. Helm holds numbers of files as floats, which templates print as 1e+06 from a million on; JSON prints all digits. */}}
{{- define "levada.text" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}

{{/* The worker's configuration: what the chart decides, then worker.config, which wins. */}}
{{- define "levada.workerConfig" -}}
{{- $name := include "levada.fullname" . }}
{{- $own := dict
  "listeners" (printf "%s://:8083" (lower .Values.service.scheme))
  "log.format" "json"
  "rest.allowed.hosts" (include "levada.hosts" .)
  "task.shutdown.graceful.timeout.ms" (printf "%d" (mul 1000 (int .Values.worker.drainSeconds)))
  "config.providers" "file"
  "config.providers.file.class" "org.apache.kafka.common.config.provider.FileConfigProvider"
  "config.providers.file.param.allowed.paths" "/etc/levada" }}
{{- if include "levada.embedded" . }}
{{- $_ := set $own "embedded.storage.folder" "/data" }}
{{- else }}
{{- $prefix := default $name .Values.kafka.topicPrefix }}
{{- /* The built-in connectors produce text. */}}
{{- $own = merge $own (dict
  "key.converter" "org.apache.kafka.connect.storage.StringConverter"
  "value.converter" "org.apache.kafka.connect.storage.StringConverter"
  "bootstrap.servers" (join "," .Values.kafka.bootstrapServers)
  "group.id" (default $name .Values.kafka.groupId)
  "config.storage.topic" (printf "%s-configs" $prefix)
  "offset.storage.topic" (printf "%s-offsets" $prefix)
  "status.storage.topic" (printf "%s-status" $prefix)) }}
{{- end }}
{{- range $key, $value := merge (dict) .Values.worker.config $own }}
{{ $key | quote }}: {{ include "levada.text" $value | quote }}
{{- end }}
{{- end }}

{{- define "levada.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "levada.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* Workers of a group on different zones and nodes where there are some. Those of an earlier template end soon, and do not count. */}}
{{- define "levada.spread" -}}
{{- if .Values.topologySpreadConstraints }}
{{- toYaml .Values.topologySpreadConstraints }}
{{- else if not (include "levada.embedded" .) }}
{{- range $at, $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
{{- if $at }}
{{ end -}}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "levada.selector" $ | nindent 6 }}
      app.kubernetes.io/component: worker
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end }}

{{/* Of pods that ask the REST interface. */}}
{{- define "levada.clientPod" -}}
restartPolicy: Never
serviceAccountName: {{ include "levada.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "levada.podSecurity" . | nindent 2 }}
{{- end }}

{{- define "levada.clientContainer" -}}
image: {{ include "levada.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.connectorsJob.env }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.connectorsJob.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "levada.containerSecurity" . | nindent 2 }}
resources:
  requests:
    cpu: 50m
    memory: 96Mi
  limits:
    memory: 256Mi
{{- end }}

{{- define "levada.clientMounts" -}}
- name: tmp
  mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "levada.clientVolumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "levada.url" -}}
{{ lower .Values.service.scheme }}://{{ include "levada.fullname" . }}:{{ .Values.service.port }}
{{- end }}

{{/* Refusals that a schema cannot express. */}}
{{- define "levada.check" -}}
{{- if and .Values.otlp.enabled (gt (int (include "levada.replicas" .)) 1) }}
{{- fail "otlp.enabled needs replicas: 1. One worker of a group runs an OTLP connector, and a Service would send exports to all of them: install OTLP as a release of its own" }}
{{- end }}
{{- if .Values.ingress.enabled }}
{{- if not .Values.ingress.hosts }}
{{- fail "ingress.enabled needs ingress.hosts: a worker answers only to names that it knows" }}
{{- end }}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.restFrom) }}
{{- fail "ingress.enabled needs networkPolicy.restFrom, which lets the controller of ingresses reach workers, or networkPolicy.enabled: false" }}
{{- end }}
{{- end }}
{{- range $key := list "task.shutdown.graceful.timeout.ms" "listeners" "embedded.storage.folder" "bootstrap.servers" }}
{{- if hasKey $.Values.worker.config $key }}
{{- fail (printf "worker.config must not have %s, which follows from another value: see values.yaml" $key) }}
{{- end }}
{{- end }}
{{- end }}
