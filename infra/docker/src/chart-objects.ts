// Reads the objects of the Helm chart. They are copies of the manifests in k8s/, because Helm cannot read files outside a chart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { stringify } from 'yaml';
import { manifestsOf, readKustomization, readManifests, settingsOf, type Manifest } from './kustomization.js';

const root = join(repositoryDirectory, 'k8s');
export const chartFolder = join(root, 'helm/kiln');
const HEADER = '# Written by infra/docker/dist/write-chart.js from k8s/. Do not edit.\n';

export interface ChartFile {
  path: string;
  text: string;
}

/** Of components, what they add. What they change is in the templates. */
const groups: Record<string, unknown[]> = {
  // The namespace is made before: a chart is installed into one.
  base: manifestsOf(join(root, 'base')).filter(({ kind }) => kind !== 'Namespace'),
  migrations: manifestsOf(join(root, 'migrations')),
  dependencies: [...componentOf('in-cluster-dependencies'), ...filesAsConfigMaps('in-cluster-dependencies')],
  ingress: componentOf('ingress'),
  'object-store': readManifests(join(root, 'overlays/trial/object-store.yaml')),
  'storage-events': componentOf('storage-events'),
  'gateway-api': componentOf('gateway-api'),
  autoscaling: componentOf('autoscaling'),
  monitoring: componentOf('monitoring'),
  tracing: componentOf('tracing'),
};

function componentOf(name: string): Manifest[] {
  return manifestsOf(join(root, 'components', name));
}

function filesAsConfigMaps(component: string): object[] {
  const folder = join(root, 'components', component);
  return (readKustomization(folder).configMapGenerator ?? []).map(({ name, files = [] }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
  }));
}

const processes = manifestsOf(join(root, 'base')).flatMap(({ kind, metadata }) =>
  kind === 'Deployment' ? [metadata.name] : [],
);
const settings = Object.fromEntries(processes.map((process) => [process, settingsOf(root, process)]));

// Helm reads YAML 1.1, in which `no` and `off` are booleans.
export const chartFiles: readonly ChartFile[] = Object.entries({ ...groups, settings }).map(([name, content]) => ({
  path: join(chartFolder, 'objects', `${name}.yaml`),
  text: HEADER + stringify(content, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }),
}));
