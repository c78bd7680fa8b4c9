// Real: the configuration of each process, loaded with the environment that its Deployment gives it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { expectedProcesses } from './expected.js';
import { buildWithComponents, isInstalled, NOT_INSTALLED, objectsOf, type Rendered } from './kubernetes-tools.js';
import { environmentOf } from './process-environment.js';

/** Loads the configuration once for each environment, and prints the problems. */
const PROGRAM = `
  const [path, name, environments] = process.argv.slice(1);
  const { [name]: load } = await import(path);
  const problems = JSON.parse(environments).map((environment) => {
    for (const key of Object.keys(process.env)) delete process.env[key];
    Object.assign(process.env, environment);
    try { load(); return ''; } catch (error) { return error.message; }
  });
  console.log(JSON.stringify(problems));
`;

function problemsOf(service: string, role: string, environments: readonly Record<string, string>[]): string[] {
  const folder = join(repositoryDirectory, 'services', service, 'dist');
  const isExtractor = role === 'extractor';
  const path = join(folder, isExtractor ? 'extractor/extractor.config.js' : 'config.js');
  const loader = `load${(isExtractor ? role : service).replace(/^./, (first) => first.toUpperCase())}Config`;
  const words = ['--input-type=module', '--eval', PROGRAM, path, loader, JSON.stringify(environments)];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}

/** Overlays, and production with the components that give processes variables. */
const deployments: readonly { overlay: string; components: readonly string[]; lines?: string }[] = [
  ...['local', 'trial', 'staging', 'production'].map((overlay) => ({ overlay, components: [] })),
  ...['object-store-gcs', 'object-store-azure', 'remote-engines', 'local-models', 'certificates', 'opensearch'].map(
    (component) => ({
      overlay: 'production',
      components: [component],
    }),
  ),
  {
    overlay: 'production',
    components: ['object-store-azure', 'azure-workload-identity'],
    lines: ['files', 'gateway', 'jobs-worker', 'search'].reduce(
      (lines, name) =>
        `${lines}\n  - { name: ${name}-settings, behavior: merge, literals: [KILN_STORAGE_AZURE_ACCOUNT=kiln] }`,
      'configMapGenerator:',
    ),
  },
];
const hasTools = isInstalled('kustomize');

describe('the settings of every overlay, and of production with components', () => {
  let rendered: Rendered[][];
  beforeAll(() => {
    rendered = deployments.map(({ overlay, components, lines }) =>
      hasTools ? objectsOf(buildWithComponents(`overlays/${overlay}`, components, lines)) : [],
    );
  });

  for (const { name, service, role } of expectedProcesses) {
    const title = `are accepted by ${name} at its start, and an unknown one is refused with its name`;
    (hasTools ? it : it.skip)(hasTools ? title : `${title} (kustomize is ${NOT_INSTALLED})`, () => {
      const environments = rendered.map((objects) => environmentOf(objects, name));
      const wrong = { ...environments.at(0), KILN_MISSPELLED: 'value' };
      const [refusal, ...accepted] = problemsOf(service, role, [wrong, ...environments]);
      expect(accepted).toStrictEqual(deployments.map(() => ''));
      expect(refusal).toMatch(/KILN_MISSPELLED: is not a setting of this process/);
    });
  }
});
