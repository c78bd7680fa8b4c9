// Real: kustomize and kubeconform, where they are installed, and the schemas of Kubernetes and of the custom resources.
import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { kustomizationFolders, type Manifest } from './kustomization.js';
import {
  buildWithComponents,
  buildWithKustomize,
  isInstalled,
  NOT_INSTALLED,
  objectsOf,
  schemaProblems,
} from './kubernetes-tools.js';

const root = join(repositoryDirectory, 'k8s');
const hasTools = isInstalled('kustomize', 'kubeconform');
const title = (text: string) => (hasTools ? text : `${text} (${NOT_INSTALLED})`);
const check = hasTools ? it : it.skip;
const components = readdirSync(join(root, 'components'));
const folders = kustomizationFolders(root).filter((folder) => !relative(root, folder).startsWith('components'));

const deploymentsOf = (text: string): Manifest[] => objectsOf(text).filter(({ kind }) => kind === 'Deployment');
const containerOf = ({ spec }: Manifest) => spec?.template?.spec.containers[0];

describe('kustomize builds', () => {
  for (const folder of folders) {
    check(title(`${relative(root, folder)} alone, from objects that the schemas accept`), () => {
      const text = buildWithKustomize(folder);
      expect(objectsOf(text).length).toBeGreaterThan(1);
      expect(schemaProblems(text)).toStrictEqual([]);
    });
  }

  for (const component of components) {
    check(title(`production with components/${component}, from objects that the schemas accept`), () => {
      const text = buildWithComponents('overlays/production', [component]);
      expect(text).not.toBe(buildWithKustomize(join(root, 'overlays/production')));
      expect(schemaProblems(text)).toStrictEqual([]);
    });
  }
});

describe('the schemas', () => {
  check(title('refuse an unknown field and a wrong type'), () => {
    const text = buildWithKustomize(join(root, 'base/files'));
    expect(schemaProblems(text.replace('revisionHistoryLimit', 'revisionHistory')).join()).toMatch(/Deployment files/);
    expect(schemaProblems(text.replace('replicas: 2', 'replicas: two')).join()).toMatch(/Deployment files/);
  });
});

describe('a changed setting', () => {
  check(title('restarts its process only'), () => {
    const mounted = (text: string) =>
      new Map(
        deploymentsOf(text).map((one) => [one.metadata.name, containerOf(one)?.envFrom?.[0]?.configMapRef?.name]),
      );
    const before = mounted(buildWithKustomize(join(root, 'overlays/production')));
    const generator = '{ name: gateway-settings, behavior: merge, literals: [KILN_RATE_LIMIT_RPS=7] }';
    const after = mounted(buildWithComponents('overlays/production', [], `configMapGenerator:\n  - ${generator}`));
    const changed = [...before].filter(([name, map]) => after.get(name) !== map).map(([name]) => name);
    expect([before.size, changed]).toStrictEqual([9, ['gateway']]);
  });
});

describe('components/tracing', () => {
  check(title('gives every process but the extractor the address of the collector'), () => {
    const deployments = deploymentsOf(buildWithComponents('overlays/production', ['tracing']));
    const without = deployments.filter(
      (one) => !containerOf(one)?.env?.some(({ name }) => name === 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    );
    expect(without.map(({ metadata }) => metadata.name)).toStrictEqual(['extractor']);
  });
});

describe('components/image-pull-secrets', () => {
  check(title('gives every pod the login of the registry'), () => {
    for (const overlay of ['overlays/local', 'overlays/local/migrations']) {
      const pods = objectsOf(buildWithComponents(overlay, ['image-pull-secrets'])).filter(({ spec }) => spec?.template);
      expect(pods.length).toBeGreaterThan(5);
      const secrets = pods.map(({ spec }) => spec?.template?.spec.imagePullSecrets);
      expect(secrets).toStrictEqual(pods.map(() => [{ name: 'kiln-registry' }]));
    }
  });
});

describe('k8s/overlays', () => {
  it('has local, trial, staging and production, each with its migrations', () => {
    const overlays = folders.map((folder) => relative(root, folder)).filter((folder) => folder.startsWith('overlays'));
    const names = ['local', 'production', 'staging', 'trial'];
    expect(overlays.toSorted()).toStrictEqual(
      names.flatMap((name) => [`overlays/${name}`, `overlays/${name}/migrations`]),
    );
  });
});
