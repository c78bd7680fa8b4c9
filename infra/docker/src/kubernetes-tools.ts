// What `install-kubernetes-tools.mjs` installs. Specs that need it are skipped without it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './kustomization.js';

const counterparts = join(homedir(), '.cache/kiln/counterparts');
const schemas = join(counterparts, 'kubernetes-schemas');
/** The schema of the Compose Specification. */
export const composeSchema = join(counterparts, 'compose-spec.json');
const program = (name: string) => join(counterparts, 'bin', name);
const BYTES_MAX = 2 ** 26;

export const NOT_INSTALLED = 'not installed: node infra/docker/install-kubernetes-tools.mjs';

export const isInstalled = (...names: ('kustomize' | 'helm' | 'kubeconform')[]): boolean =>
  names.every((name) => existsSync(program(name))) && (!names.includes('kubeconform') || existsSync(schemas));

/** An object as the tools print it. */
export interface Rendered extends Manifest {
  apiVersion: string;
  metadata: Manifest['metadata'] & { namespace?: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
}

function run(name: string, words: readonly string[]): string {
  return execFileSync(program(name), words, {
    encoding: 'utf8',
    maxBuffer: BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export const buildWithKustomize = (folder: string): string => run('kustomize', ['build', folder]);

/** Builds a folder of k8s/ with components. `lines` are further lines of the kustomization. */
export function buildWithComponents(folder: string, components: readonly string[], lines = ''): string {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'kiln-kustomize-'));
  // kustomize accepts relative paths only.
  const pathOf = (path: string) => relative(scratch, join(repositoryDirectory, 'k8s', path));
  try {
    const added = components.map((name) => `  - ${pathOf(`components/${name}`)}\n`).join('');
    const text = `namespace: kiln\nresources:\n  - ${pathOf(folder)}\n${added && `components:\n${added}`}${lines}\n`;
    writeFileSync(join(scratch, 'kustomization.yaml'), text);
    return buildWithKustomize(scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

export const renderWithHelm = (...words: string[]): string =>
  run('helm', ['template', 'kiln', '--kube-version', '1.36.0', '--namespace', 'kiln', ...words]);

export const objectsOf = (text: string): Rendered[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);

/** Validates against the schemas. Returns what kubeconform says about each wrong object. */
export function schemaProblems(text: string): string[] {
  const location = join(schemas, '{{ .Group }}_{{ .ResourceAPIVersion }}_{{ .ResourceKind }}.json');
  const words = ['-strict', '-output', 'json', '-schema-location', location, '-'];
  const { stdout } = spawnSync(program('kubeconform'), words, { input: text, encoding: 'utf8', maxBuffer: BYTES_MAX });
  const { resources = [] } = JSON.parse(stdout) as { resources?: { kind: string; name: string; msg: string }[] };
  return resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}
