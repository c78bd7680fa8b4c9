// The allowed connections of a pod: the union of all policies that select it. Read from the manifests, without a cluster.
import { describe, expect, it } from '@jest/globals';
import { join, relative } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import {
  kustomizationFolders,
  manifestsOf,
  readKustomization,
  settingsOf,
  type EgressRule,
  type Manifest,
} from './kustomization.js';

const root = join(repositoryDirectory, 'k8s');
const production = manifestsOf(join(root, 'overlays/production'));
const trial = manifestsOf(join(root, 'overlays/trial'));
const traced = [...production, ...manifestsOf(join(root, 'components/tracing'))];
const searching = [...production, ...manifestsOf(join(root, 'components/opensearch'))];
const overlays = { production, trial, 'production with traces': traced, 'production with OpenSearch': searching };

const policiesOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'NetworkPolicy');
const deploymentsOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'Deployment');
const labelsOf = ({ spec }: Manifest) => spec?.template?.metadata.labels ?? {};

/** Whether a policy selects a pod. Of expressions, the repository uses NotIn only. */
function isFor({ spec }: Manifest, labels: Record<string, string>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.podSelector ?? {};
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'NotIn') throw new Error(`unknown operator ${operator}`);
      return !values.includes(labels[key] ?? '');
    })
  );
}

function egressOf(
  manifests: readonly Manifest[],
  labels: Record<string, string>,
): { name: string; rule: EgressRule }[] {
  return policiesOf(manifests)
    .filter((policy) => isFor(policy, labels))
    .flatMap(({ metadata: { name }, spec }) => (spec?.egress ?? []).map((rule) => ({ name, rule })));
}

/** Up to 65,536 addresses of IPv4, which is more than a vendor publishes for one service. */
const isRange = (cidr: string) => Number(/^[\d.]+\/(\d+)$/.exec(cidr)?.[1]) >= 16;

/** Whether a rule names both destination (pods, a namespace, or a range of addresses) and port. */
function isExact({ to = [], ports = [] }: EgressRule): boolean {
  const places = to.map(({ ipBlock, podSelector, namespaceSelector }) =>
    ipBlock
      ? isRange(ipBlock.cidr)
      : Object.keys({ ...podSelector?.matchLabels, ...namespaceSelector?.matchLabels }).length > 0,
  );
  return to.length > 0 && !places.includes(false) && ports.length > 0 && ports.every(({ port }) => port !== undefined);
}

describe('the network policies', () => {
  for (const [overlay, manifests] of Object.entries(overlays)) {
    it(`of ${overlay} name exact destinations and ports, except the public addresses of webhooks and connections`, () => {
      const open = policiesOf(manifests)
        .filter(({ spec }) => (spec?.egress ?? []).some((rule) => !isExact(rule)))
        .map(({ metadata }) => metadata.name);
      expect(open).toStrictEqual(['needs-internet']);
      const callers = deploymentsOf(manifests).filter(
        (deployment) => labelsOf(deployment)['kiln.dev/needs-internet'] !== undefined,
      );
      expect(callers.map(({ metadata }) => metadata.name)).toStrictEqual(['connections', 'webhooks']);
    });

    it(`of ${overlay} allow every process to reach each server it needs`, () => {
      const needs = deploymentsOf(manifests)
        .flatMap((deployment) => Object.keys(labelsOf(deployment)))
        .filter((label) => label.startsWith('kiln.dev/needs-'))
        // A trial has no proxy.
        .filter((need) => overlay !== 'trial' || need !== 'kiln.dev/needs-proxy');
      expect(needs.length).toBeGreaterThan(0);
      expect(needs.filter((need) => egressOf(manifests, { [need]: 'true' }).length <= 1)).toStrictEqual([]);
    });
  }

  it('of production allow the worker to reach DNS, Postgres, NATS, the object store, the proxy and extractors, and nothing else', () => {
    const worker = deploymentsOf(production).find(({ metadata }) => metadata.name === 'jobs-worker');
    if (!worker) throw new Error('no worker');
    const ways = egressOf(production, labelsOf(worker)).map(({ name, rule }) => [name, rule.ports?.at(0)?.port]);
    expect(Object.fromEntries(ways)).toStrictEqual({
      names: 53,
      'database-address': 5432,
      'bus-address': 4222,
      'objects-address': 443,
      'proxy-address': 3128,
      'needs-extractor': 9200,
    });
  });

  for (const [overlay, manifests] of Object.entries(overlays)) {
    it(`of ${overlay} give extractors no way out, not even to a name server, and let in workers and monitoring only`, () => {
      const extractor = deploymentsOf(manifests).find(({ metadata }) => metadata.name === 'extractor');
      if (!extractor) throw new Error('no extractor');
      expect(egressOf(manifests, labelsOf(extractor))).toStrictEqual([]);
      const ways = policiesOf(manifests)
        .filter((policy) => isFor(policy, labelsOf(extractor)))
        .flatMap(({ metadata: { name }, spec }) =>
          (spec?.ingress ?? []).map((rule) => [name, rule.ports?.at(0)?.port]),
        );
      expect(Object.fromEntries(ways)).toStrictEqual({
        'metrics-from-monitoring': 9100,
        'extractor-from-workers': 9200,
      });
      const knowing = deploymentsOf(manifests).filter(
        (deployment) => labelsOf(deployment)['kiln.dev/needs-extractor'] !== undefined,
      );
      expect(knowing.map(({ metadata }) => metadata.name)).toStrictEqual(['jobs-worker']);
    });
  }

  it('are not opened to the internet by any component', () => {
    const opening = kustomizationFolders(root).filter((folder) =>
      (readKustomization(folder).patches ?? []).some(({ patch }) => /needs-internet/.test(patch ?? '')),
    );
    expect(opening.map((folder) => relative(root, folder))).toStrictEqual([]);
  });

  it('allow exactly the processes with an outbound proxy to reach it', () => {
    const deployments = deploymentsOf(production);
    const reaching = deployments.filter((one) => labelsOf(one)['kiln.dev/needs-proxy'] === 'true');
    const knowing = deployments.filter(
      ({ metadata }) => settingsOf(root, metadata.name)['KILN_OUTBOUND_PROXY'] !== undefined,
    );
    expect(reaching.map(({ metadata }) => metadata.name)).toStrictEqual(knowing.map(({ metadata }) => metadata.name));
  });

  it('allow the resolvers of the cluster, of OpenShift, and on the node', () => {
    const names = policiesOf(production).find(({ metadata }) => metadata.name === 'names');
    expect(names && isFor(names, { 'app.kubernetes.io/name': 'files' })).toBe(true);
    const [rule] = names?.spec?.egress ?? [];
    expect(
      rule?.to?.map(
        ({ namespaceSelector, ipBlock }) => ipBlock?.cidr ?? Object.values(namespaceSelector?.matchLabels ?? {}).join(),
      ),
    ).toStrictEqual(['kube-system', 'openshift-dns', '169.254.20.10/32']);
    expect(rule?.ports?.map(({ protocol, port }) => `${protocol}/${port}`)).toStrictEqual([
      'UDP/53',
      'TCP/53',
      'UDP/5353',
      'TCP/5353',
    ]);
  });
});
