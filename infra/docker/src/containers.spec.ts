// What holds for containers under both docker compose and Kubernetes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';
import { kustomizationFolders, manifestsOf } from './kustomization.js';

interface StartedContainer {
  name: string;
  command: readonly string[];
  nodeOptions: string | undefined;
}

const read = (path: string) => readFileSync(join(repositoryDirectory, path), 'utf8');
const root = join(repositoryDirectory, 'k8s');

const composed = Object.entries(
  (
    parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
    }
  ).services,
).map(([name, { command = [], environment }]): StartedContainer => ({
  name: `compose: ${name}`,
  command,
  nodeOptions: environment?.['NODE_OPTIONS'],
}));
const orchestrated = [manifestsOf(join(root, 'overlays/trial')), manifestsOf(join(root, 'migrations'))]
  .flat()
  .flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map(({ command = [], env = [] }): StartedContainer => ({
      name: `k8s: ${metadata.name}`,
      command,
      nodeOptions: env.find(({ name }) => name === 'NODE_OPTIONS')?.value,
    })),
  );
const containers = [...composed, ...orchestrated];

describe('a container', () => {
  it('runs its program as process 1, behind no shell, so that it gets the signal to end', () => {
    const shells = containers.filter(({ command }) => /^(ba|da|a)?sh$/.test(basename(command[0] ?? '')));
    assert.deepEqual(
      shells.map(({ name }) => name),
      [],
    );
    assert.ok(containers.length > 20);
  });

  it('that sets NODE_OPTIONS keeps those of the image, which it replaces', () => {
    const [, options = ''] = /NODE_OPTIONS=(\S+)/.exec(read('infra/docker/Dockerfile')) ?? [];
    assert.equal(options, '--enable-source-maps');
    const own = containers.filter(({ nodeOptions }) => nodeOptions !== undefined);
    assert.deepEqual(
      own.map(({ name }) => name),
      ['compose: jobs-worker', 'compose: webhooks', 'k8s: jobs-worker', 'k8s: webhooks'],
    );
    for (const { name, nodeOptions } of own) assert.ok(nodeOptions?.split(' ').includes(options), name);
  });
});

describe('k8s/README.md', () => {
  const text = read('k8s/README.md');

  it('names every component, and says of none that it is missing', () => {
    const components = kustomizationFolders(join(root, 'components')).map((folder) => basename(folder));
    for (const component of components) assert.ok(text.includes(`components/${component}`), component);
    const [missing = ''] = /^Not here yet:.*$/m.exec(text) ?? [];
    for (const component of components) assert.ok(!missing.includes(component), `${component}: ${missing}`);
  });
});
