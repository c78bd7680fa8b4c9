{{/* The settings of a process: those of k8s/base, then the shared ones that it has, then its own. Takes `root` and `process`. */}}
{{- define "kiln.settings" -}}
{{- $base := get (.root.Files.Get "objects/settings.yaml" | fromYaml) .process -}}
{{- $shared := pick .root.Values.settings.shared "" -}}
{{- range $name, $value := .root.Values.settings.shared -}}
{{- if hasKey $base $name }}{{ $_ := set $shared $name $value }}{{ end -}}
{{- end -}}
{{- merge (dict) (default (dict) (get .root.Values.settings .process)) $shared $base | toYaml -}}
{{- end -}}

{{/* Fails on a process or an image that does not exist, and on a shared setting that no process has. */}}
{{- define "kiln.checkNames" -}}
{{- $base := .Files.Get "objects/settings.yaml" | fromYaml -}}
{{- range $name := concat (keys (omit .Values.settings "shared")) (keys .Values.processes) -}}
{{- if not (hasKey $base $name) }}{{ fail (printf "%s is not a process. The processes are %s." $name (keys $base | sortAlpha | join ", ")) }}{{ end -}}
{{- end -}}
{{- $known := list -}}
{{- range $settings := $base }}{{ $known = concat $known (keys $settings) }}{{ end -}}
{{- range $name := keys .Values.settings.shared -}}
{{- if not (has $name $known) }}{{ fail (printf "settings.shared.%s: no process has it in objects/settings.yaml. Set it for one process, as settings.<process>.%s." $name $name) }}{{ end -}}
{{- end -}}
{{- $objects := printf "%s%s" (.Files.Get "objects/base.yaml") (.Files.Get "objects/dependencies.yaml") -}}
{{- $images := regexFindAll "image: kiln/[a-z-]+" $objects -1 | uniq -}}
{{- range $name := keys .Values.image.tags -}}
{{- if not (has (printf "image: kiln/%s" $name) $images) }}{{ fail (printf "image.tags.%s is not an image. The images are %s." $name (join ", " $images | replace "image: kiln/" "")) }}{{ end -}}
{{- end -}}
{{- end -}}
