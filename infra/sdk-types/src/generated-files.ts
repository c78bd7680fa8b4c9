// All generated files of the SDK, as text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFile } from './client-file.js';
import { eventsFile } from './events-file.js';
import { formatText } from './format-text.js';
import { methodsOf } from './methods.js';
import { kebabCase } from './names.js';
import type { OpenApi } from './open-api.js';
import { resourceFile } from './resource-file.js';
import { typesFile } from './types-file.js';

const sources = fileURLToPath(new URL('../../../packages/sdk/src/', import.meta.url));
export const GENERATED_FOLDER = join(sources, 'generated');
const RESOURCES_FOLDER = join(sources, 'resources');
const HEADER = '// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.\n';

/** By file name. */
export async function generatedFiles(document: OpenApi): Promise<Map<string, string>> {
  const methods = methodsOf(document);
  const resources = [...new Set(methods.map(({ resource }) => resource))];
  const handwritten = handwrittenResources();
  const files = new Map<string, string>([
    ['types.ts', await typesFile(document)],
    ['event-payloads.ts', eventsFile(document)],
    ['version.ts', `export const API_VERSION = '${document.info.version}';`],
    ['resources.ts', clientFile(resources, [...handwritten.keys()])],
  ]);
  for (const resource of resources) {
    const name = kebabCase(resource);
    if (files.has(`${name}.ts`)) throw new Error(`no resource can be named ${name}`);
    const generated = `../generated/${name}.js`;
    if (handwritten.get(resource)?.includes(generated) === false)
      throw new Error(`packages/sdk/src/resources/${name}.ts must extend the class of ${generated}`);
    const own = methods.filter((method) => method.resource === resource);
    files.set(`${name}.ts`, resourceFile(resource, own));
  }
  const formatted = [...files].map(async ([name, text]) => [name, await formatText(name, HEADER + text)] as const);
  return new Map(await Promise.all(formatted));
}

/** The resources with a class in `resources`, and its text. */
function handwrittenResources(): Map<string, string> {
  const names = readdirSync(RESOURCES_FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return new Map(
    names.map((name) => [camelCase(name.slice(0, -'.ts'.length)), readFileSync(join(RESOURCES_FOLDER, name), 'utf8')]),
  );
}
