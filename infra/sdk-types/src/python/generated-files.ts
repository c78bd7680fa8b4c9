// All generated files of the Python SDK, as text.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { methodsOf } from '../methods.js';
import type { OpenApi, Schema } from '../open-api.js';
import { clientFile, eventsFile } from './client-file.js';
import { modelsFile, paramsFile } from './models-file.js';
import { snakeCase } from './names.js';
import { pythonMethodOf } from './python-methods.js';
import { INPUT, OUTPUT, PythonTypes } from './python-types.js';
import { resourceFile } from './resource-file.js';

const sources = fileURLToPath(new URL('../../../../sdk/python/src/kiln/', import.meta.url));
export const PYTHON_FOLDER = join(sources, 'generated');
const RESOURCES_FOLDER = join(sources, 'resources');
const HEADER = '# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.\n';

/** By file name. */
export function pythonFiles(document: OpenApi): Map<string, string> {
  const models = new PythonTypes(document.components.schemas, OUTPUT);
  const params = new PythonTypes(document.components.schemas, INPUT);
  const methods = methodsOf(document).map((method) => pythonMethodOf(document, method, { models, params }));
  const resources = [...new Set(methods.map(({ method }) => method.resource))];
  const handwritten = handwrittenResources();
  const events = eventsFile(document, models);
  params.typeOf(uploadFieldsOf(document), 'UploadFields');
  const importable = { models: [...models.classes.keys(), ...readersOf(models)], params: [...params.classes.keys()] };
  const files = new Map<string, string>([
    ['__init__.py', ''],
    ['version.py', `API_VERSION = "${document.info.version}"`],
    ['models.py', modelsFile(models)],
    ['params.py', paramsFile(params)],
    ['events.py', events],
    ['resources.py', clientFile(resources, handwritten)],
  ]);
  for (const resource of resources) {
    const name = `${snakeCase(resource)}.py`;
    if (files.has(name)) throw new Error(`no resource can be named ${name}`);
    const own = methods.filter(({ method }) => method.resource === resource);
    files.set(name, resourceFile(resource, own, importable));
  }
  return new Map([...files].map(([name, text]) => [name, text === '' ? HEADER : `${HEADER}${text}\n`]));
}

/** The keywords of an upload: the SDK knows the size. */
function uploadFieldsOf({ components }: OpenApi): Schema {
  const { size_bytes: _size, ...properties } = components.schemas['UploadRequest']?.properties ?? {};
  return { type: 'object', properties, required: [] };
}

const readersOf = (models: PythonTypes) =>
  [...models.unions.keys()].flatMap((name) => [name, `${snakeCase(name)}_from_json`]);

/** The resources with a module in `resources`. */
function handwrittenResources(): string[] {
  const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return readdirSync(RESOURCES_FOLDER)
    .filter((name) => name.endsWith('.py') && name !== '__init__.py')
    .map((name) => camelCase(name.slice(0, -'.py'.length)));
}
