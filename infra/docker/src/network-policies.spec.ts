// What a pod may connect to: every policy that selects it, together. Read from the manifests, for no cluster is at hand.
import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryDirectory } from '@kiln/dev';
import {
  kustomizationFolders,
  manifestsOf,
  readKustomization,
  type EgressRule,
  type Manifest,
} from './kustomization.js';

const root = join(repositoryDirectory, 'k8s');
const production = manifestsOf(join(root, 'overlays/production'));
const trial = manifestsOf(join(root, 'overlays/trial'));
const overlays = { production, trial };

const policiesOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'NetworkPolicy');
const deploymentsOf = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'Deployment');
const labelsOf = ({ spec }: Manifest) => spec?.template?.metadata.labels ?? {};

function egressOf(
  manifests: readonly Manifest[],
  labels: Record<string, string>,
): { name: string; rule: EgressRule }[] {
  return policiesOf(manifests)
    .filter(({ spec }) =>
      Object.entries(spec?.podSelector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value),
    )
    .flatMap(({ metadata: { name }, spec }) => (spec?.egress ?? []).map((rule) => ({ name, rule })));
}

/** Whether a rule names where to and by which port: pods, a namespace, or single addresses. */
function isExact({ to = [], ports = [] }: EgressRule): boolean {
  const places = to.map(({ ipBlock, podSelector, namespaceSelector }) =>
    ipBlock
      ? ipBlock.cidr.endsWith('/32')
      : Object.keys({ ...podSelector?.matchLabels, ...namespaceSelector?.matchLabels }).length > 0,
  );
  return to.length > 0 && !places.includes(false) && ports.length > 0 && ports.every(({ port }) => port !== undefined);
}

describe('the network policies', () => {
  for (const [overlay, manifests] of Object.entries(overlays)) {
    it(`of ${overlay} name exact destinations and ports, but for the public addresses of those who call what callers name`, () => {
      const open = policiesOf(manifests)
        .filter(({ spec }) => (spec?.egress ?? []).some((rule) => !isExact(rule)))
        .map(({ metadata }) => metadata.name);
      assert.deepEqual(open, ['needs-internet']);
      const callers = deploymentsOf(manifests).filter(
        (deployment) => labelsOf(deployment)['kiln.dev/needs-internet'] !== undefined,
      );
      assert.deepEqual(
        callers.map(({ metadata }) => metadata.name),
        ['connections', 'webhooks'],
      );
    });

    it(`of ${overlay} lead every process to each server it needs`, () => {
      for (const deployment of deploymentsOf(manifests)) {
        const labels = labelsOf(deployment);
        for (const need of Object.keys(labels).filter((name) => name.startsWith('kiln.dev/needs-'))) {
          // A trial has no proxy.
          if (overlay === 'trial' && need === 'kiln.dev/needs-proxy') continue;
          assert.ok(egressOf(manifests, { [need]: 'true' }).length > 1, `${deployment.metadata.name}: ${need}`);
        }
      }
    });
  }

  it('of production lead the worker to names, Postgres, NATS, the object store and the proxy, and nowhere else', () => {
    const worker = deploymentsOf(production).find(({ metadata }) => metadata.name === 'jobs-worker');
    assert.ok(worker);
    const ways = egressOf(production, labelsOf(worker)).map(({ name, rule }) => [name, rule.ports?.at(0)?.port]);
    assert.deepEqual(Object.fromEntries(ways), {
      names: 53,
      'database-address': 5432,
      'bus-address': 4222,
      'objects-address': 443,
      'proxy-address': 3128,
    });
  });

  it('are not widened to the internet by any component', () => {
    for (const folder of kustomizationFolders(root)) {
      for (const { patch } of readKustomization(folder).patches ?? []) {
        assert.doesNotMatch(patch, /needs-internet/, relative(root, folder));
      }
    }
  });

  it('lead exactly those processes that know an outbound proxy to it', () => {
    for (const deployment of deploymentsOf(production)) {
      const environment = deployment.spec?.template?.spec.containers[0]?.env ?? [];
      const knowsProxy = environment.some(({ name }) => name === 'KILN_OUTBOUND_PROXY');
      assert.equal(labelsOf(deployment)['kiln.dev/needs-proxy'] === 'true', knowsProxy, deployment.metadata.name);
    }
  });

  it('lead to the resolvers of the cluster, of OpenShift, and on the node', () => {
    const names = policiesOf(production).find(({ metadata }) => metadata.name === 'names');
    assert.deepEqual(names?.spec?.podSelector, {});
    const [rule] = names.spec.egress ?? [];
    assert.deepEqual(
      rule?.to?.map(
        ({ namespaceSelector, ipBlock }) => ipBlock?.cidr ?? Object.values(namespaceSelector?.matchLabels ?? {}).join(),
      ),
      ['kube-system', 'openshift-dns', '169.254.20.10/32'],
    );
    assert.deepEqual(
      rule?.ports?.map(({ protocol, port }) => `${protocol}/${port}`),
      ['UDP/53', 'TCP/53', 'UDP/5353', 'TCP/5353'],
    );
  });
});
