// What `npm run images` runs with each engine.
import { describe, expect, it } from '@jest/globals';
import { buildCommands, sizeCommand, type BuildOptions } from './build-commands.js';
import { images } from './image-list.js';

const files = { name: 'files', folder: 'services/files', version: '1.2.3', ports: '9100' };
const options: BuildOptions = { repository: 'kiln', revision: 'abc', push: false };
const built =
  '--file infra/docker/Dockerfile --build-arg SERVICE=files --build-arg FOLDER=services/files --build-arg PORTS=9100 ' +
  '--build-arg VERSION=1.2.3 --build-arg REVISION=abc';
const both = { platforms: 'linux/amd64,linux/arm64', push: true, repository: 'registry.example.com/kiln' };
const tag = 'registry.example.com/kiln/files:1.2.3';

const linesOf = (...words: Parameters<typeof buildCommands>) => buildCommands(...words).map((line) => line.join(' '));

describe('the build of an image', () => {
  it('loads it into docker', () => {
    expect(linesOf('docker', files, options)).toStrictEqual([
      `docker buildx build ${built} --tag kiln/files:1.2.3 --load .`,
    ]);
  });

  it('pushes it from docker for several platforms, with a bill of materials and its provenance', () => {
    expect(linesOf('docker', files, { ...options, ...both })).toStrictEqual([
      `docker buildx build ${built} --platform ${both.platforms} --tag ${tag} --push --sbom=true --provenance=mode=max .`,
    ]);
  });

  it.each(['podman', 'buildah'] as const)('stores it with %s, or pushes a list for several platforms', (engine) => {
    expect(linesOf(engine, files, options)).toStrictEqual([
      `${engine} build --layers ${built} --tag kiln/files:1.2.3 .`,
    ]);
    expect(linesOf(engine, files, { ...options, ...both })).toStrictEqual([
      `${engine} build --layers ${built} --platform ${both.platforms} --manifest ${tag} .`,
      `${engine} manifest push --all ${tag} docker://${tag}`,
    ]);
    expect(linesOf(engine, files, { ...options, push: true })[1]).toBe(`${engine} push kiln/files:1.2.3`);
  });

  it('ends with the size', () => {
    expect(sizeCommand('buildah', tag).join(' ')).toBe(`buildah images --format {{.Size}} ${tag}`);
    expect(sizeCommand('docker', tag).join(' ')).toBe(`docker image ls --format {{.Size}} ${tag}`);
  });
});

it('there is an image for each service, the object store and the model server', () => {
  expect(images.map(({ name }) => name).toSorted()).toStrictEqual([
    'analytics',
    'connections',
    'files',
    'gateway',
    'jobs',
    'model-server',
    'object-store',
    'search',
    'webhooks',
  ]);
});
