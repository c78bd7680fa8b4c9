// Checks that the connection pools of all processes fit into Postgres at the maximum number of replicas.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionProblem, DEFAULT_RESERVED, repositoryDirectory, type PooledProcess } from '@kiln/dev';
import { readCompose } from './compose-file.js';
import { expectedProcesses } from './expected.js';
import { manifestsOf, readKustomization, settingsOf, type Manifest } from './kustomization.js';

const read = (path: string) => readFileSync(join(repositoryDirectory, path), 'utf8');
const root = join(repositoryDirectory, 'k8s');

function maxConnectionsOf(words: readonly string[] = []): number {
  const [, max] = /(?:^| )max_connections=(\d+)/.exec(words.join(' ')) ?? [];
  // Postgres has no max_connections here.
  if (!max) throw new Error('no max');
  return Number(max);
}

/** The overlays do not change the pools. */
const poolOf = (process: string) => Number(settingsOf(root, process)['KILN_DATABASE_CONNECTIONS']);

const hasPool = (environment: readonly { name: string }[] = []) =>
  environment.some(({ name }) => name === 'DATABASE_URL');

/** During a rollout, every Deployment has its surge in addition to its replicas. An autoscaled one may be at its maximum. */
function processesOf(overlay: string, scaled: readonly Manifest[] = []): PooledProcess[] {
  const folder = join(root, 'overlays', overlay);
  const counts = new Map(readKustomization(folder).replicas?.map(({ name, count }) => [name, count]));
  for (const { metadata, spec } of scaled)
    counts.set(metadata.name, spec?.maxReplicaCount ?? spec?.maxReplicas ?? Number.NaN);
  return manifestsOf(folder)
    .filter(({ kind, spec }) => kind === 'Deployment' && hasPool(spec?.template?.spec.containers[0]?.env))
    .map(({ metadata: { name }, spec }) => {
      const replicas =
        (counts.get(name) ?? spec?.replicas ?? 1) + (spec?.strategy?.rollingUpdate?.maxSurge ?? Number.NaN);
      return { name, replicas, connections: poolOf(name) };
    });
}

const scaledObjects = manifestsOf(join(root, 'components/autoscaling'));

describe('Postgres accepts the connections of every process', () => {
  it('of docker-compose.yml, with as many workers as its README starts', () => {
    const compose = readCompose('docker-compose.yml') as {
      services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
    };
    const [, workers] = /--scale jobs-worker=(\d+)/.exec(read('infra/docker/README.md')) ?? [];
    const processes = expectedProcesses.map(({ name }) => {
      const [, pool] =
        /:-(\d+)\}$/.exec(compose.services[name]?.environment?.['KILN_DATABASE_CONNECTIONS'] ?? '') ?? [];
      return { name, replicas: name === 'jobs-worker' ? Number(workers) : 1, connections: Number(pool) };
    });
    const max = maxConnectionsOf(compose.services['postgres']?.command);
    expect(connectionProblem(processes, { max, reserved: DEFAULT_RESERVED })).toBeNull();
  });

  it('of a trial on Kubernetes, during a rollout', () => {
    const manifests = manifestsOf(join(root, 'overlays/local'));
    const postgres = manifests.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'postgres');
    const max = maxConnectionsOf(postgres?.spec?.template?.spec.containers[0]?.args);
    expect(connectionProblem(processesOf('local'), { max, reserved: DEFAULT_RESERVED })).toBeNull();
  });

  for (const [title, scaled] of [
    ['in production, during a rollout', []],
    ['in production with autoscaling at its maximum, during a rollout', scaledObjects],
  ] as const) {
    it(`${title}, when it has the max_connections that k8s/README.md asks for, and not with one fewer`, () => {
      const label = scaled.length > 0 ? 'with `components/autoscaling`' : 'as it is';
      const [, stated] = new RegExp(`\\| ${label} +\\| \`(\\d+)\``).exec(read('k8s/README.md')) ?? [];
      if (!stated) throw new Error(`k8s/README.md does not say what production needs ${label}`);
      const processes = processesOf('production', scaled);
      const max = Number(stated);
      expect(connectionProblem(processes, { max, reserved: DEFAULT_RESERVED })).toBeNull();
      expect(connectionProblem(processes, { max: max - 1, reserved: DEFAULT_RESERVED })).not.toBeNull();
    });
  }
});
