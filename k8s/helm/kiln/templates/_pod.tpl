{{/* Changes the pod of a Deployment, StatefulSet or Job by the values. Takes `root` and `object`. */}}
{{- define "kiln.pod" -}}
{{- $values := .root.Values -}}
{{- $pod := .object.spec.template.spec -}}
{{- $container := first $pod.containers -}}
{{- if hasPrefix "kiln/" $container.image -}}
{{- $parts := splitList ":" $container.image -}}
{{- $name := first $parts -}}
{{- $path := ternary $name (printf "%s/%s" $values.image.registry $name) (empty $values.image.registry) -}}
{{- $tag := default $values.image.tag (get $values.image.tags (trimPrefix "kiln/" $name)) -}}
{{- $_ := set $container "image" (printf "%s:%s" $path (default (last $parts) $tag)) -}}
{{- end -}}
{{- with $values.image.pullSecrets -}}
{{- $secrets := list }}{{ range . }}{{ $secrets = append $secrets (dict "name" .) }}{{ end -}}
{{- $_ := set $pod "imagePullSecrets" $secrets -}}
{{- end -}}
{{- if hasKey (.root.Files.Get "objects/settings.yaml" | fromYaml) .object.metadata.name }}{{ include "kiln.process" . }}{{ end -}}
{{- if eq .object.kind "Job" }}{{ include "kiln.job" . }}{{ end -}}
{{- end -}}

{{/* A Job cannot be changed, so each version of a service and each change of the pod has its own. */}}
{{- define "kiln.job" -}}
{{- $container := first .object.spec.template.spec.containers -}}
{{- with get .root.Values.migrations.logins (trimPrefix "migrate-" .object.spec.template.spec.serviceAccountName) -}}
{{- $_ := set $container "env" (append $container.env (dict "name" "KILN_DATABASE_LOGIN" "value" .)) -}}
{{- end -}}
{{- $_ := set .object.metadata "name" (printf "%s-%s" .object.metadata.name (toYaml .object.spec | sha256sum | trunc 8)) -}}
{{- end -}}

{{/* Changes a process by its values. */}}
{{- define "kiln.process" -}}
{{- $name := .object.metadata.name -}}
{{- $values := default (dict) (get .root.Values.processes $name) -}}
{{- $template := .object.spec.template -}}
{{- $container := first $template.spec.containers -}}
{{- if and .root.Values.autoscaling.enabled (has $name (list "gateway" "jobs-worker" "extractor")) -}}
{{- $_ := unset .object.spec "replicas" -}}
{{- else if hasKey $values "replicas" -}}
{{- $_ := set .object.spec "replicas" $values.replicas -}}
{{- end -}}
{{- with $values.resources }}{{ $_ := set $container "resources" (merge (deepCopy .) $container.resources) }}{{ end -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" -}}
{{- with get $values $key }}{{ $_ := set $template.spec $key . }}{{ end -}}
{{- end -}}
{{- with $values.podLabels }}{{ $_ := set $template.metadata "labels" (merge (dict) $template.metadata.labels .) }}{{ end -}}
{{- if and .root.Values.tracing.enabled (ne $name "extractor") -}}
{{- $tracing := .root.Values.tracing -}}
{{- $endpoint := dict "name" "OTEL_EXPORTER_OTLP_ENDPOINT" "value" $tracing.endpoint -}}
{{- $sampler := dict "name" "OTEL_TRACES_SAMPLER" "value" "parentbased_traceidratio" -}}
{{- $ratio := dict "name" "OTEL_TRACES_SAMPLER_ARG" "value" $tracing.ratio -}}
{{- $_ := set $container "env" (concat $container.env (list $endpoint $sampler $ratio)) -}}
{{- end -}}
{{- with $values.env }}{{ $_ := set $container "env" (concat $container.env .) }}{{ end -}}
{{- with $values.volumes }}{{ $_ := set $template.spec "volumes" (concat (default (list) $template.spec.volumes) .) }}{{ end -}}
{{- with $values.volumeMounts }}{{ $_ := set $container "volumeMounts" (concat (default (list) $container.volumeMounts) .) }}{{ end -}}
{{- /* A changed setting restarts its process. */ -}}
{{- $checksum := include "kiln.settings" (dict "root" .root "process" $name) | sha256sum -}}
{{- $_ := set $template.metadata "annotations" (merge (dict "checksum/settings" $checksum) (default (dict) $values.podAnnotations)) -}}
{{- end -}}
