import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { expectedProcesses, expectedServices, isPinned, SECRET } from './expected.js';
import { shutdownSeconds } from './shutdown-seconds.js';
import {
  filesOf,
  kustomizationFolders,
  manifestsOf,
  readKustomization,
  settingsOf,
  type Manifest,
} from './kustomization.js';

const root = join(repositoryDirectory, 'k8s');
const base = manifestsOf(join(root, 'base'));
const migrations = manifestsOf(join(root, 'migrations'));
const trial = manifestsOf(join(root, 'overlays/trial'));
const everything = [...trial, ...migrations];
const pods = everything.filter(({ spec }) => spec?.template);

/** The labels of the network policies that allow access to the required servers. */
const NEEDS = { DATABASE_URL: 'database', NATS_URL: 'bus', REDIS_URL: 'cache', KILN_STORAGE_BUCKET: 'objects' };

function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
}

function findMigration(service: string): Manifest {
  const named = (manifest: Manifest) => manifest.metadata.labels?.['app.kubernetes.io/name'] === `migrate-${service}`;
  const found = migrations.find((manifest) => manifest.kind === 'Job' && named(manifest));
  if (!found) throw new Error(`no Job that migrates ${service}`);
  return found;
}

function podOf(manifest: Manifest) {
  const template = manifest.spec?.template;
  const [container, ...more] = template?.spec.containers ?? [];
  if (!template || !container || more.length !== 0)
    throw new Error(`${manifest.metadata.name} has not exactly one container`);
  return { labels: template.metadata.labels, pod: template.spec, container };
}

describe('k8s/base', () => {
  for (const process of expectedProcesses) {
    it(`deploys ${process.name} with every variable it needs, and no secret it does not`, () => {
      const { container, labels } = podOf(find(base, 'Deployment', process.name));
      expect(container.image).toMatch(new RegExp(`^kiln/${process.service}:`));
      // A process receives the settings of its own ConfigMap, and single keys of secrets.
      expect(container.envFrom).toStrictEqual([{ configMapRef: { name: `${process.name}-settings` } }]);
      const names = [...(container.env ?? []).map(({ name }) => name), ...Object.keys(settingsOf(root, process.name))];
      expect(process.variables.filter((name) => !names.includes(name))).toStrictEqual([]);
      expect(process.forbidden.filter((name) => names.includes(name))).toStrictEqual([]);
      expect(container.env?.find(({ name }) => name === 'KILN_ROLE')?.value).toBe(process.role);
      const opened = Object.values(NEEDS).filter((need) => labels[`kiln.dev/needs-${need}`] === 'true');
      const needed = Object.entries(NEEDS).flatMap(([name, need]) => (process.variables.includes(name) ? [need] : []));
      expect(opened).toStrictEqual(needed);
    });

    it(`probes ${process.name} and spreads it over nodes`, () => {
      const { container, pod, labels } = podOf(find(base, 'Deployment', process.name));
      expect(container.startupProbe).toBeTruthy();
      expect(container.livenessProbe?.httpGet?.path).toBe('/livez');
      expect(container.readinessProbe?.httpGet?.path).toBe('/readyz');
      expect(pod.topologySpreadConstraints?.length).toBeTruthy();
      const budget = find(base, 'PodDisruptionBudget', process.name);
      expect(budget.spec?.selector?.matchLabels?.['app.kubernetes.io/name']).toBe(labels['app.kubernetes.io/name']);
      find(base, 'ServiceAccount', process.name);
    });
  }

  const stopping = [...expectedProcesses, { name: 'extractor', service: 'jobs', role: 'extractor' }];
  it.each(stopping)('gives $name more time than all phases of its shutdown take', async (process) => {
    const { container, pod } = podOf(find(base, 'Deployment', process.name));
    const [, waits = 0] = container.lifecycle?.preStop?.exec?.command ?? [];
    const seconds = Number(waits) + (await shutdownSeconds(process, settingsOf(root, process.name)));
    expect(pod.terminationGracePeriodSeconds ?? 0).toBeGreaterThan(seconds);
  });

  it('gives extractors plain values only: no secret, no address of a server', () => {
    const { container, labels } = podOf(find(base, 'Deployment', 'extractor'));
    const values = [...(container.env ?? []), ...Object.keys(settingsOf(root, 'extractor')).map((name) => ({ name }))];
    const wrong = values.filter((one) => 'valueFrom' in one || SECRET.test(one.name) || one.name.endsWith('_URL'));
    expect(wrong).toStrictEqual([]);
    expect(Object.keys(labels).filter((label) => label.startsWith('kiln.dev/needs-'))).toStrictEqual([]);
  });

  it('has a folder for every service, whose ConfigMaps are those of its processes and hold no secret', () => {
    for (const service of expectedServices) {
      const { configMapGenerator = [] } = readKustomization(join(root, 'base', service));
      const processes = expectedProcesses.filter((process) => process.service === service).map(({ name }) => name);
      const deployed = manifestsOf(join(root, 'base', service)).filter(({ kind }) => kind === 'Deployment');
      const names = deployed.map(({ metadata }) => metadata.name);
      expect(processes.filter((name) => !names.includes(name))).toStrictEqual([]);
      expect(configMapGenerator.map(({ name }) => name).toSorted()).toStrictEqual(
        names.map((name) => `${name}-settings`).toSorted(),
      );
      const keys = names.flatMap((name) => Object.keys(settingsOf(root, name)));
      expect(keys.filter((key) => SECRET.test(key))).toStrictEqual([]);
    }
  });

  it('denies all traffic that no policy allows', () => {
    const { spec } = find(base, 'NetworkPolicy', 'default-deny');
    expect(spec?.podSelector).toStrictEqual({});
    expect(spec?.policyTypes).toStrictEqual(['Ingress', 'Egress']);
  });
});

describe('k8s/migrations', () => {
  it('has a Job for every service, with the command of its own image', () => {
    for (const service of expectedServices) {
      const { container, pod } = podOf(findMigration(service));
      expect(container.image).toMatch(new RegExp(`^kiln/${service}:`));
      expect(container.command).toStrictEqual(['node', 'dist/migrate.js']);
      find(migrations, 'ServiceAccount', `migrate-${service}`);
      expect(pod.serviceAccountName).toBe(`migrate-${service}`);
    }
  });

  it('names each Job after its service and the version of its image', () => {
    for (const service of expectedServices) {
      const manifest = findMigration(service);
      const [, version = ''] = podOf(manifest).container.image.split(':');
      expect(manifest.metadata.name).toBe(`migrate-${service}-${version.replaceAll('.', '-')}`);
    }
  });
});

describe('every pod of k8s/', () => {
  for (const manifest of pods) {
    it(`locks ${manifest.metadata.name} down: no root, no writable root, no token, no capabilities, limits`, () => {
      const { pod, container } = podOf(manifest);
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.hostNetwork).toBeUndefined();
      expect(pod.initContainers).toBeUndefined();
      expect(pod.securityContext?.runAsNonRoot).toBe(true);
      expect(pod.securityContext?.runAsUser ?? 0).toBeGreaterThan(0);
      expect(pod.securityContext?.seccompProfile?.type).toBe('RuntimeDefault');
      expect(container.securityContext?.allowPrivilegeEscalation).toBe(false);
      expect(container.securityContext?.readOnlyRootFilesystem).toBe(true);
      expect(container.securityContext?.capabilities?.drop).toStrictEqual(['ALL']);
      expect(container.resources?.requests?.['cpu']).toBeTruthy();
      expect(container.resources?.limits?.['memory']).toBeTruthy();
      expect(isPinned(container.image)).toBe(true);
      if (manifest.kind !== 'Job') {
        expect(container.livenessProbe).toBeTruthy();
        expect(container.readinessProbe).toBeTruthy();
      }
    });

    it(`takes the secrets of ${manifest.metadata.name} by reference`, () => {
      const secrets = (podOf(manifest).container.env ?? []).filter(({ name }) => SECRET.test(name));
      const isComposed = (value = '') => /^"?\$\(\w+\)"?$/.test(value);
      const written = secrets.filter(({ value, valueFrom }) => !isComposed(value) && !valueFrom?.secretKeyRef);
      expect(written.map(({ name }) => name)).toStrictEqual([]);
    });
  }

  it('has no Service that is reachable from outside the cluster, and no Secret in this repository', () => {
    for (const { kind, spec } of everything) {
      expect(kind).not.toBe('Secret');
      if (kind === 'Service') expect(spec?.type).toBeUndefined();
    }
  });
});

describe('k8s/components/autoscaling', () => {
  it('scales the jobs worker by metrics that the jobs service exports', () => {
    const scaled = manifestsOf(join(root, 'components/autoscaling'));
    const { spec } = find(scaled, 'ScaledObject', 'jobs-worker') as unknown as {
      spec: { scaleTargetRef: { name: string }; minReplicaCount: number; triggers: { metadata: { query: string } }[] };
    };
    find(base, 'Deployment', spec.scaleTargetRef.name);
    // The remaining worker takes the first job at once.
    expect(spec.minReplicaCount).toBeGreaterThanOrEqual(1);
    const shown = readFileSync(join(repositoryDirectory, 'services/jobs/src/metrics/queue.metrics.ts'), 'utf8');
    const asked = spec.triggers.flatMap(({ metadata }) => metadata.query.match(/kiln_\w+/g) ?? []);
    expect(asked).toHaveLength(2);
    for (const metric of asked) expect(shown).toContain(`'${metric}'`);
  });

  for (const name of ['extractor', 'gateway']) {
    it(`scales the ${name} by the CPU time that its container requests, and never to none`, () => {
      const scaled = manifestsOf(join(root, 'components/autoscaling'));
      const { spec } = find(scaled, 'HorizontalPodAutoscaler', name) as unknown as {
        spec: { scaleTargetRef: { name: string }; minReplicas: number; metrics: { resource: { name: string } }[] };
      };
      const [container] = find(base, 'Deployment', spec.scaleTargetRef.name).spec?.template?.spec.containers ?? [];
      expect(spec.minReplicas).toBeGreaterThanOrEqual(1);
      for (const { resource } of spec.metrics) expect(container?.resources?.requests).toHaveProperty(resource.name);
    });
  }
});

describe('k8s/components/certificates', () => {
  it('mounts the certificates into every process and every migration', () => {
    const { patches = [] } = readKustomization(join(root, 'components/certificates'));
    const targets = patches.map(({ target, patch }) => ({ ...target, adds: patch.includes('/volumes/-') }));
    for (const { name } of expectedProcesses) {
      const hits = targets.filter(
        (target) => target.kind === 'Deployment' && new RegExp(`^(${target.name})$`).test(name),
      );
      const volumes = find(base, 'Deployment', name).spec?.template?.spec.volumes;
      // A list that exists is added to. Another is created.
      expect(hits.map(({ adds }) => adds)).toStrictEqual([volumes !== undefined]);
    }
    const jobs = targets.filter(({ kind }) => kind === 'Job');
    expect(jobs.map(({ labelSelector }) => labelSelector)).toStrictEqual(['app.kubernetes.io/component=migration']);
    for (const { metadata } of migrations.filter(({ kind }) => kind === 'Job'))
      expect(metadata.labels?.['app.kubernetes.io/component']).toBe('migration');
  });
});

describe('the kustomizations', () => {
  for (const folder of kustomizationFolders(root)) {
    it(`${relative(root, folder)} lists each of its files, and only existing files`, () => {
      const { listed, present } = filesOf(folder);
      expect(listed).toStrictEqual(present);
      manifestsOf(folder);
    });
  }
});
