import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryDirectory } from '@kiln/dev';
import { expectedProcesses, expectedServices, isPinned, SECRET } from './expected.js';
import { filesOf, kustomizationFolders, manifestsOf, readKustomization, type Manifest } from './kustomization.js';

const root = join(repositoryDirectory, 'k8s');
const base = manifestsOf(join(root, 'base'));
const migrations = manifestsOf(join(root, 'migrations'));
const trial = manifestsOf(join(root, 'overlays/trial'));
const everything = [...trial, ...migrations];
const pods = everything.filter(({ spec }) => spec?.template);

/** The longest that the phases of packages/platform's and the gateway's shutdown may take, in seconds, preStop included. */
const SHUTDOWN_SECONDS: Record<string, number> = { gateway: 60, 'jobs-worker': 50 };
const SHUTDOWN_SECONDS_OF_OTHERS = 42;
/** Labels of the network policies that open the way to what a process needs. */
const NEEDS = { DATABASE_URL: 'database', NATS_URL: 'bus', REDIS_URL: 'cache', KILN_STORAGE_BUCKET: 'objects' };

function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  assert.ok(found, `no ${kind} ${name}`);
  return found;
}

function podOf(manifest: Manifest) {
  const template = manifest.spec?.template;
  const [container, ...more] = template?.spec.containers ?? [];
  assert.ok(template && container && more.length === 0, `${manifest.metadata.name} has not exactly one container`);
  return { labels: template.metadata.labels, pod: template.spec, container };
}

describe('k8s/base', () => {
  for (const process of expectedProcesses) {
    it(`deploys ${process.name} with every variable it needs, and no secret it does not`, () => {
      const { container, labels } = podOf(find(base, 'Deployment', process.name));
      assert.match(container.image, new RegExp(`^kiln/${process.service}:`));
      assert.equal(container.envFrom, undefined, 'a process is given single keys, never whole secrets');
      const names = (container.env ?? []).map(({ name }) => name);
      assert.deepEqual(
        process.variables.filter((name) => !names.includes(name)),
        [],
      );
      assert.deepEqual(
        process.forbidden.filter((name) => names.includes(name)),
        [],
      );
      assert.equal(container.env?.find(({ name }) => name === 'KILN_ROLE')?.value, process.role);
      const opened = Object.values(NEEDS).filter((need) => labels[`kiln.dev/needs-${need}`] === 'true');
      const needed = Object.entries(NEEDS).flatMap(([name, need]) => (process.variables.includes(name) ? [need] : []));
      assert.deepEqual(opened, needed);
    });

    it(`watches ${process.name}, spreads it, and gives it time to end`, () => {
      const { container, pod, labels } = podOf(find(base, 'Deployment', process.name));
      assert.ok(container.startupProbe);
      assert.equal(container.livenessProbe?.httpGet?.path, '/livez');
      assert.equal(container.readinessProbe?.httpGet?.path, '/readyz');
      assert.ok(pod.topologySpreadConstraints?.length);
      const seconds = SHUTDOWN_SECONDS[process.name] ?? SHUTDOWN_SECONDS_OF_OTHERS;
      assert.ok((pod.terminationGracePeriodSeconds ?? 0) >= seconds);
      const budget = find(base, 'PodDisruptionBudget', process.name);
      assert.equal(budget.spec?.selector?.matchLabels?.['app.kubernetes.io/name'], labels['app.kubernetes.io/name']);
      find(base, 'ServiceAccount', process.name);
    });
  }

  it('takes every key of the configuration from one that exists', () => {
    const [generated] = readKustomization(join(root, 'base')).configMapGenerator ?? [];
    const keys = (generated?.literals ?? []).map((literal) => literal.split('=')[0]);
    for (const manifest of base.filter(({ kind }) => kind === 'Deployment')) {
      for (const { valueFrom } of podOf(manifest).container.env ?? []) {
        const key = valueFrom?.configMapKeyRef?.key;
        if (key !== undefined) assert.ok(keys.includes(key), `${manifest.metadata.name}: ${key}`);
      }
    }
  });

  it('denies all traffic that no policy allows', () => {
    const { spec } = find(base, 'NetworkPolicy', 'default-deny');
    assert.deepEqual(spec?.podSelector, {});
    assert.deepEqual(spec?.policyTypes, ['Ingress', 'Egress']);
  });
});

describe('k8s/migrations', () => {
  it('has a Job for every service, by the command of its own image', () => {
    for (const service of expectedServices) {
      const { container } = podOf(find(migrations, 'Job', `migrate-${service}`));
      assert.match(container.image, new RegExp(`^kiln/${service}:`));
      assert.deepEqual(container.command, ['node', 'dist/migrate.js']);
    }
  });

  it('names the Jobs after the release of the images', () => {
    const suffix = /^nameSuffix: -(\S+)$/m.exec(readFileSync(join(root, 'migrations/kustomization.yaml'), 'utf8'))?.[1];
    for (const manifest of migrations) {
      assert.equal(podOf(manifest).container.image.split(':')[1]?.replaceAll('.', '-'), suffix);
    }
  });
});

describe('every pod of k8s/', () => {
  for (const manifest of pods) {
    it(`locks ${manifest.metadata.name} down: no root, no writable root, no token, no capabilities, limits`, () => {
      const { pod, container } = podOf(manifest);
      assert.equal(pod.automountServiceAccountToken, false);
      assert.equal(pod.hostNetwork, undefined);
      assert.equal(pod.initContainers, undefined);
      assert.equal(pod.securityContext?.runAsNonRoot, true);
      assert.ok((pod.securityContext?.runAsUser ?? 0) > 0);
      assert.equal(pod.securityContext?.seccompProfile?.type, 'RuntimeDefault');
      assert.equal(container.securityContext?.allowPrivilegeEscalation, false);
      assert.equal(container.securityContext?.readOnlyRootFilesystem, true);
      assert.deepEqual(container.securityContext?.capabilities?.drop, ['ALL']);
      assert.ok(container.resources?.requests?.['cpu'] && container.resources.limits?.['memory']);
      assert.ok(isPinned(container.image), `${container.image} is not pinned`);
      if (manifest.kind !== 'Job') assert.ok(container.livenessProbe && container.readinessProbe);
    });

    it(`takes the secrets of ${manifest.metadata.name} by reference`, () => {
      for (const { name, value, valueFrom } of podOf(manifest).container.env ?? []) {
        if (!SECRET.test(name)) continue;
        const isComposed = value !== undefined && /^"?\$\(\w+\)"?$/.test(value);
        assert.ok(isComposed || valueFrom?.secretKeyRef, name);
      }
    });
  }

  it('is reached from outside the cluster by no Service, and by no Secret in this repository', () => {
    for (const { kind, spec } of everything) {
      assert.notEqual(kind, 'Secret');
      if (kind === 'Service') assert.equal(spec?.type, undefined);
    }
  });
});

describe('k8s/components/autoscaling', () => {
  it('scales the jobs worker by metrics that the jobs service shows', () => {
    const scaled = manifestsOf(join(root, 'components/autoscaling'));
    const { spec } = find(scaled, 'ScaledObject', 'jobs-worker') as unknown as {
      spec: { scaleTargetRef: { name: string }; minReplicaCount: number; triggers: { metadata: { query: string } }[] };
    };
    find(base, 'Deployment', spec.scaleTargetRef.name);
    assert.ok(spec.minReplicaCount >= 1, 'the worker that remains takes the first job at once');
    const shown = readFileSync(join(repositoryDirectory, 'services/jobs/src/workers/queue-metrics.ts'), 'utf8');
    const asked = spec.triggers.flatMap(({ metadata }) => metadata.query.match(/kiln_\w+/g) ?? []);
    assert.equal(asked.length, 2);
    for (const metric of asked) assert.ok(shown.includes(`'${metric}'`), metric);
  });
});

describe('the kustomizations', () => {
  for (const folder of kustomizationFolders(root)) {
    it(`${relative(root, folder)} lists each of its files, and only files there are`, () => {
      const { listed, present } = filesOf(folder);
      assert.deepEqual(listed, present);
      manifestsOf(folder);
    });
  }

  const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
  it('are accepted by kustomize', { skip: kubectl ? false : 'kubectl is not installed' }, () => {
    for (const overlay of readdirSync(join(root, 'overlays'))) {
      for (const folder of [overlay, `${overlay}/migrations`]) {
        const built = spawnSync('kubectl', ['kustomize', join(root, 'overlays', folder)], { encoding: 'utf8' });
        assert.equal(built.status, 0, built.stderr);
        assert.match(built.stdout, /namespace: kiln/);
      }
    }
  });
});
