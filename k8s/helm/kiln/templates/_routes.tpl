{{/* Sets host, class and certificate of an Ingress. Takes `root` and `object`. */}}
{{- define "kiln.ingress" -}}
{{- $values := .root.Values.ingress -}}
{{- $route := get $values .object.metadata.name -}}
{{- $spec := .object.spec -}}
{{- $_ := set $spec "ingressClassName" $values.className -}}
{{- $_ := set (first $spec.rules) "host" $route.host -}}
{{- $secret := default (first $spec.tls).secretName $route.tlsSecret -}}
{{- $_ := set $spec "tls" (list (dict "hosts" (list $route.host) "secretName" $secret)) -}}
{{- with $values.annotations -}}
{{- $_ := set $.object.metadata "annotations" (merge (deepCopy .) (default (dict) $.object.metadata.annotations)) -}}
{{- end -}}
{{- end -}}

{{/* Sets host, class and certificate of the objects of the Gateway API. */}}
{{- define "kiln.gatewayApi" -}}
{{- $values := .root.Values.gatewayApi -}}
{{- $spec := .object.spec -}}
{{- if eq .object.kind "HTTPRoute" }}{{ $_ := set $spec "hostnames" (list $values.host) }}{{ end -}}
{{- if eq .object.kind "Gateway" -}}
{{- $_ := set $spec "gatewayClassName" $values.className -}}
{{- range $listener := $spec.listeners -}}
{{- $_ := set $listener "hostname" $values.host -}}
{{- if and $listener.tls $values.tlsSecret }}{{ $_ := set $listener.tls "certificateRefs" (list (dict "name" $values.tlsSecret)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Sets the namespace of the Ingress controller in a policy. */}}
{{- define "kiln.fromController" -}}
{{- $peer := first (first .object.spec.ingress).from -}}
{{- $labels := dict "kubernetes.io/metadata.name" .root.Values.ingress.controllerNamespace -}}
{{- $_ := set $peer "namespaceSelector" (dict "matchLabels" $labels) -}}
{{- end -}}

{{/* Sets the bounds of an autoscaler. */}}
{{- define "kiln.autoscaler" -}}
{{- $values := get .root.Values.autoscaling .object.metadata.name -}}
{{- $isKeda := eq .object.kind "ScaledObject" -}}
{{- with $values.min }}{{ $_ := set $.object.spec (ternary "minReplicaCount" "minReplicas" $isKeda) . }}{{ end -}}
{{- with $values.max }}{{ $_ := set $.object.spec (ternary "maxReplicaCount" "maxReplicas" $isKeda) . }}{{ end -}}
{{- if $isKeda -}}
{{- $metadata := (first .object.spec.triggers).metadata -}}
{{- $_ := set $metadata "serverAddress" .root.Values.autoscaling.prometheus -}}
{{- $_ := set $metadata "query" (replace "namespace=\"kiln\"" (printf "namespace=%q" .root.Release.Namespace) $metadata.query) -}}
{{- end -}}
{{- end -}}
