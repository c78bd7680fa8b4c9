// Each service has its own version, that of its package. All files that deploy it name this version.
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { images } from './images/image-list.js';

const versions = new Map(images.map(({ name, version }) => [name, version]));
// The model server with models, built from its image.
versions.set('models', versions.get('model-server') ?? '');

/** `image: kiln/files:0.2.0` and `{ name: kiln/files, newName: …, newTag: 0.2.0 }`. */
const REFERENCE = /\bkiln\/([a-z-]+)(?::|, newTag: )(\d[\w.-]*)/g;

const words = [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  'docker-compose.yml',
  'infra/docker/*.yml',
  'k8s/*.yaml',
];
const files = execFileSync('git', words, { cwd: repositoryDirectory, encoding: 'utf8' }).trim().split('\n');

const references = files.flatMap((path) =>
  [...readFileSync(join(repositoryDirectory, path), 'utf8').matchAll(REFERENCE)].map(
    ([text, image = '', version = '']) => ({ path, text, image, version }),
  ),
);

describe('the versions of services', () => {
  it.each(images.filter(({ folder }) => folder.startsWith('services/')))(
    'deploy $name in compose, Kustomize and the chart',
    ({ name }) => {
      const deployed = references.filter(({ image }) => image === name).map(({ path }) => path);
      for (const folder of [
        'docker-compose.yml',
        `k8s/base/${name}/`,
        'k8s/migrations/',
        'k8s/overlays/production/',
        'k8s/helm/kiln/objects/',
      ])
        expect(deployed.some((path) => path.startsWith(folder))).toBe(true);
    },
  );

  it('are the tags of the images in every file', () => {
    // kiln/nats, which compose builds, has the version of the server.
    const ours = references.filter(({ image }) => versions.has(image));
    const others = ours.filter(({ image, version }) => version !== versions.get(image));
    expect(others.map(({ path, text }) => `${path}: ${text}`)).toStrictEqual([]);
  });
});
