/** The commands of docker, podman and buildah that build an image, push it and show its size. */
import type { Image } from './image-list.js';

export const engines = ['docker', 'podman', 'buildah'] as const;
export type Engine = (typeof engines)[number];

export interface BuildOptions {
  /** Such as `registry.example.com/kiln`. */
  readonly repository: string;
  /** The commit. */
  readonly revision: string;
  /** Such as `linux/amd64,linux/arm64`. Undefined: that of this machine. */
  readonly platforms?: string | undefined;
  readonly push: boolean;
}

type Command = readonly string[];

export const tagOf = ({ name, version }: Image, { repository }: Pick<BuildOptions, 'repository'>): string =>
  `${repository}/${name}:${version}`;

/** Runs in the root of the repository. */
export function buildCommands(engine: Engine, image: Image, options: BuildOptions): Command[] {
  const tag = tagOf(image, options);
  const named = Object.entries(buildArguments(image, options)).flatMap(([name, value]) => [
    '--build-arg',
    `${name}=${value}`,
  ]);
  const platforms = options.platforms === undefined ? [] : ['--platform', options.platforms];
  const what = ['--file', 'infra/docker/Dockerfile', ...named, ...platforms];
  if (engine === 'docker') {
    // Attestations are stored in a registry only (https://docs.docker.com/build/metadata/attestations).
    const output = options.push ? ['--push', '--sbom=true', '--provenance=mode=max'] : ['--load'];
    return [['docker', 'buildx', 'build', ...what, '--tag', tag, ...output, '.']];
  }
  // An image of several platforms is a list of images.
  const isList = options.platforms?.includes(',') ?? false;
  const push = isList ? [engine, 'manifest', 'push', '--all', tag, `docker://${tag}`] : [engine, 'push', tag];
  const build = [engine, 'build', '--layers', ...what, isList ? '--manifest' : '--tag', tag, '.'];
  return options.push ? [build, push] : [build];
}

/** Prints the size. */
export function sizeCommand(engine: Engine, tag: string): Command {
  if (engine === 'buildah') return ['buildah', 'images', '--format', '{{.Size}}', tag];
  return [engine, 'image', 'ls', '--format', '{{.Size}}', tag];
}

function buildArguments({ name, folder, ports, version }: Image, { revision }: BuildOptions): Record<string, string> {
  return { SERVICE: name, FOLDER: folder, PORTS: ports, VERSION: version, REVISION: revision };
}
