/**
 * Adds the service to pnpm-lock.yaml, with the versions that a present service has. pnpm would resolve them anew, perhaps with
 * other peers. Then there would be two copies of Nest and TypeORM in one process, which do not know each other's classes.
 */
import type { Edit } from './edits.js';
import { NewServiceError } from './new-service-error.js';

type Dependencies = Readonly<Record<string, string>>;

export interface Manifest {
  readonly dependencies: Dependencies;
  readonly devDependencies: Dependencies;
}

/** It has every dependency of the template. */
const MODEL = 'services/webhooks';

export const addImporter =
  (folder: string, manifest: Manifest): Edit =>
  (text) => {
    const start = text.indexOf('\nimporters:\n');
    const end = text.indexOf('\npackages:\n');
    if (start === -1 || end < start) throw missing('the section importers');
    const next = [...text.slice(start, end).matchAll(/^ {2}(\S+):$/gm)].find(([, name = '']) => name > folder);
    const at = next ? start + next.index : end + 1;
    return `${text.slice(0, at)}${importer(text, folder, manifest)}\n${text.slice(at)}`;
  };

function importer(text: string, folder: string, manifest: Manifest): string {
  const [model] = new RegExp(`^ {2}${MODEL}:\n(?: {4}.*\n)+`, 'm').exec(text) ?? [];
  if (model === undefined) throw missing(MODEL);
  const section = (dependencies: Dependencies) =>
    Object.keys(dependencies)
      .map((name) => resolutionOf(model, name))
      .join('');
  return `  ${folder}:
    dependencies:
${section(manifest.dependencies)}    devDependencies:
${section(manifest.devDependencies)}`;
}

function resolutionOf(model: string, name: string): string {
  const [resolution] = new RegExp(`^ {6}'?${name}'?:\n(?: {8}.*\n)+`, 'm').exec(model) ?? [];
  if (resolution === undefined) throw missing(`${name} below ${MODEL}`);
  return resolution;
}

const missing = (what: string) => new NewServiceError('place_missing', `expected ${what}, found none`);
