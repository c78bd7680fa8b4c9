// The model server in containers: the component for Kubernetes, and the additional file for docker compose.
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';
import { readCompose } from './compose-file.js';
import { isPinned } from './expected.js';
import { manifestsOf, readKustomization, type EnvironmentEntry, type Manifest } from './kustomization.js';

const component = join(repositoryDirectory, 'k8s/components/local-models');
const manifests = manifestsOf(component);

interface Service {
  image: string;
  environment: Record<string, string>;
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
}
const { services } = readCompose('infra/docker/compose.models.yml') as { services: Record<string, Service> };

function find(kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** What the component adds to a Deployment of the base. */
function patchOf(deployment: string): { variables: Record<string, string>; labels: string[] } {
  const { patches = [] } = readKustomization(component);
  const { patch = '[]' } = patches.find(({ target }) => target?.name === deployment) ?? {};
  const changes = parse(patch) as { op: string; path: string; value: EnvironmentEntry & string }[];
  expect(changes.every(({ op }) => op === 'add')).toBe(true);
  const [variables, labels] = [new Map<string, string>(), [] as string[]];
  for (const { path, value } of changes) {
    if (path.endsWith('/env/-')) variables.set(value.name, value.value ?? '');
    else labels.push(path.split('/').at(-1)?.replace('~1', '/') ?? '');
  }
  return { variables: Object.fromEntries(variables), labels };
}

describe('k8s/components/local-models', () => {
  it('runs the server locked down, without secrets, from a pinned image', () => {
    const pod = find('Deployment', 'models').spec?.template?.spec;
    const [container, ...more] = pod?.containers ?? [];
    expect([more, pod?.automountServiceAccountToken, pod?.securityContext?.runAsNonRoot]).toStrictEqual([
      [],
      false,
      true,
    ]);
    expect(container?.securityContext).toStrictEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.env?.filter(({ valueFrom }) => valueFrom)).toStrictEqual([]);
    expect([isPinned(container?.image ?? ''), container?.resources?.limits?.['memory']]).toStrictEqual([true, '2Gi']);
    expect([container?.livenessProbe?.httpGet?.path, find('Service', 'models').spec?.type]).toStrictEqual([
      '/livez',
      undefined,
    ]);
  });

  it('lets workers and the search service reach it, and the server nothing', () => {
    const ingress = find('NetworkPolicy', 'models-from-users').spec;
    expect(ingress?.policyTypes).toStrictEqual(['Ingress']);
    const egress = find('NetworkPolicy', 'needs-models').spec;
    expect(egress?.podSelector).toStrictEqual({ matchLabels: { 'kiln.dev/needs-models': 'true' } });
    expect(ingress?.ingress?.[0]?.from).toStrictEqual([{ podSelector: egress?.podSelector }]);
    expect(egress?.egress?.[0]?.to).toStrictEqual([{ podSelector: ingress?.podSelector }]);
    for (const name of ['jobs-worker', 'search']) expect(patchOf(name).labels).toStrictEqual(['kiln.dev/needs-models']);
    const { labels = {} } = find('Deployment', 'models').spec?.template?.metadata ?? {};
    expect(Object.keys(labels).filter((label) => label.startsWith('kiln.dev/'))).toStrictEqual([]);
  });

  it('gives the services the variables that the launcher gives them, as docker compose does', () => {
    const embedding = ['KILN_EMBEDDING_URL', 'KILN_EMBEDDING_MODEL', 'KILN_EMBEDDING_BATCH_INPUTS'];
    const reranking = ['KILN_RERANK_URL', 'KILN_RERANK_MODEL', 'KILN_RERANK_DEADLINE_MS'];
    for (const [name, expected] of [
      ['jobs-worker', embedding],
      ['search', [...embedding, ...reranking]],
    ] as const) {
      const { variables } = patchOf(name);
      expect(Object.keys(variables)).toStrictEqual(expected);
      const composed = services[name]?.environment ?? {};
      const defaults = Object.entries(composed).map(([key, value]) => [key, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]);
      expect(Object.fromEntries(defaults)).toStrictEqual(variables);
    }
    expect(patchOf('search').variables['KILN_EMBEDDING_MODEL']).toBe(
      patchOf('jobs-worker').variables['KILN_EMBEDDING_MODEL'],
    );
  });
});

describe('compose.models.yml', () => {
  it('runs the server in the inner network alone, as another user on a read-only file system', () => {
    const { models } = services;
    expect(models).toMatchObject({ networks: ['inside'], read_only: true, cap_drop: ['ALL'], user: '10001:10001' });
  });
});
