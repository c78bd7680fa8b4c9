// Reads k8s/ like kustomize, as far as this repository uses it, so that the tests need no kustomize.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string }; configMapKeyRef?: { name: string; key: string } };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: EnvironmentEntry[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  lifecycle?: { preStop?: { exec?: { command: string[] } } };
  startupProbe?: unknown;
  livenessProbe?: { httpGet?: { path: string } };
  readinessProbe?: { httpGet?: { path: string } };
}

export interface PodSpec {
  serviceAccountName?: string;
  imagePullSecrets?: { name: string }[];
  automountServiceAccountToken?: boolean;
  hostNetwork?: boolean;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: unknown[];
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  containers: Container[];
  initContainers?: Container[];
  volumes?: unknown[];
}

interface Labels {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export interface EgressRule {
  to?: { podSelector?: Labels; namespaceSelector?: Labels; ipBlock?: { cidr: string; except?: string[] } }[];
  ports?: { protocol: string; port?: number }[];
}

export interface IngressRule {
  from?: EgressRule['to'];
  ports?: EgressRule['ports'];
}

export interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: {
    podSelector?: Labels;
    selector?: Labels;
    policyTypes?: string[];
    egress?: EgressRule[];
    ingress?: IngressRule[];
    replicas?: number;
    maxReplicaCount?: number;
    maxReplicas?: number;
    strategy?: { rollingUpdate?: { maxSurge?: number } };
    type?: string;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

export interface Kustomization {
  resources?: string[];
  components?: string[];
  configMapGenerator?: { name: string; literals?: string[]; files?: string[]; envs?: string[] }[];
  replicas?: { name: string; count: number }[];
  patches?: { target?: { kind?: string; name?: string; labelSelector?: string }; patch: string }[];
}

/** All folders below `root` with a kustomization. */
export function kustomizationFolders(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('kustomization.yaml'))
    .map((path) => join(root, path, '..'));
}

export const readKustomization = (folder: string): Kustomization =>
  parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;

/** The files that a kustomization refers to, and the files in its folder. */
export function filesOf(folder: string): { listed: string[]; present: string[] } {
  const { resources = [], configMapGenerator = [] } = readKustomization(folder);
  const referred = [...resources, ...configMapGenerator.flatMap(({ files = [], envs = [] }) => [...files, ...envs])];
  const present = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return {
    listed: [...new Set(referred.filter((path) => /\.\w+$/.test(path) && !path.startsWith('..')))].sort(),
    present: present.filter((name) => name !== 'kustomization.yaml' && /\.(ya?ml|conf|env)$/.test(name)).sort(),
  };
}

/** All manifests of a kustomization, before its transformations. Throws if a path does not exist. */
export function manifestsOf(folder: string): Manifest[] {
  const { resources = [], components = [] } = readKustomization(folder);
  return [...resources, ...components].flatMap((path) => {
    const target = join(folder, path);
    if (!existsSync(target)) throw new Error(`${folder} lists ${path}, which does not exist`);
    return statSync(target).isDirectory() ? manifestsOf(target) : readManifests(target);
  });
}

export function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path} is not valid YAML: ${document.errors.join(', ')}`);
    return document.toJS() as Manifest;
  });
}

/** The settings of a process in the base: the ConfigMap that is generated for it. */
export function settingsOf(root: string, process: string): Record<string, string> {
  const generators = kustomizationFolders(join(root, 'base')).flatMap(
    (folder) => readKustomization(folder).configMapGenerator ?? [],
  );
  const { literals } = generators.find(({ name }) => name === `${process}-settings`) ?? {};
  if (!literals) throw new Error(`no settings of ${process}`);
  return Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2) as [string, string]));
}
