// Real: the configuration of each process, loaded with the environment that its Deployment gives it.
import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { expectedProcesses } from './expected.js';
import { buildWithKustomize, isInstalled, NOT_INSTALLED, objectsOf, type Rendered } from './kubernetes-tools.js';
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

const overlays = ['local', 'trial', 'staging', 'production'];
const rendered = new Map<string, Rendered[]>();
function objects(overlay: string): Rendered[] {
  const known =
    rendered.get(overlay) ?? objectsOf(buildWithKustomize(join(repositoryDirectory, 'k8s/overlays', overlay)));
  rendered.set(overlay, known);
  return known;
}

describe('the settings of every overlay', () => {
  for (const { name, service, role } of expectedProcesses) {
    const title = `are accepted by ${name} at its start, and an unknown one is refused with its name`;
    const hasTools = isInstalled('kustomize');
    (hasTools ? it : it.skip)(hasTools ? title : `${title} (kustomize is ${NOT_INSTALLED})`, () => {
      const environments = overlays.map((overlay) => environmentOf(objects(overlay), name));
      const wrong = { ...environments.at(0), KILN_MISSPELLED: 'value' };
      const [refusal, ...accepted] = problemsOf(service, role, [wrong, ...environments]);
      expect(accepted).toStrictEqual(overlays.map(() => ''));
      expect(refusal).toMatch(/KILN_MISSPELLED: is not a setting of this process/);
    });
  }
});
