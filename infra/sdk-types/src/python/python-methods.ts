// What the Python SDK needs to know of a method beyond the TypeScript SDK: its keywords, and the types of its result.
import type { Method } from '../methods.js';
import type { OpenApi, Schema } from '../open-api.js';
import { readerOfUnion } from './models-file.js';
import { namesOf, pascalCase, snakeCase } from './names.js';
import type { PythonTypes } from './python-types.js';

export interface Keyword {
  /** As the API names it. */
  wireName: string;
  name: string;
  type: string;
  isRequired: boolean;
  /** Whether None is a value that the API takes, and not an omission. */
  takesNull: boolean;
}

export interface PythonMethod {
  method: Method;
  name: string;
  parameters: { name: string; type: string }[];
  body: Keyword[];
  query: Keyword[];
  result: { type: string; reader: string };
  /** The type of the entries of a list. */
  entry: string;
  /** The parts of a streamed response. */
  events: { type: string; reader: string } | null;
}

/** Switches the response to a stream. A method of its own does that. */
const STREAM_FIELD = 'stream';

export function pythonMethodOf(
  document: OpenApi,
  method: Method,
  { models, params }: { models: PythonTypes; params: PythonTypes },
): PythonMethod {
  const { components } = document;
  const bodySchema = method.body ? (components.schemas[method.body.component] ?? {}) : {};
  const parameters = method.pathParameters.map(({ name, schema }) => ({
    name: snakeCase(name),
    type: params.typeOf(schema, pascalCase(name)),
  }));
  const body = keywordsOf(bodySchema, method.body?.component ?? '', params).filter(
    ({ wireName }) => method.events === null || wireName !== STREAM_FIELD,
  );
  const query = keywordsOf(queryObjectOf(method), pascalCase(method.operationId), params);
  assertDistinct(method.operationId, ['options', ...[...parameters, ...body, ...query].map(({ name }) => name)]);
  const { result } = method;
  return {
    method,
    name: snakeCase(method.method),
    parameters,
    body,
    query,
    result: result.kind === 'bytes' ? { type: 'bytes', reader: '' } : reading(models, result.component),
    entry: result.kind === 'list' ? entryOf(document, result, models) : '',
    events: method.events === null ? null : reading(models, method.events),
  };
}

function reading(models: PythonTypes, component: string) {
  const type = models.component(component);
  return { type, reader: models.unions.has(component) ? readerOfUnion(component) : `${type}.from_json` };
}

const queryObjectOf = ({ query }: Method): Schema => ({
  properties: Object.fromEntries(query.map(({ name = '', schema = {} }) => [name, schema])),
  required: query.filter(({ required }) => required).map(({ name = '' }) => name),
});

function keywordsOf({ properties = {}, required = [] }: Schema, where: string, params: PythonTypes): Keyword[] {
  return namesOf(properties).map((wireName) => {
    const type = params.typeOf(properties[wireName] ?? {}, where + pascalCase(wireName));
    const takesNull = type.startsWith('Optional[');
    return { wireName, name: snakeCase(wireName), type, isRequired: required.includes(wireName), takesNull };
  });
}

function entryOf(document: OpenApi, { component, items }: { component: string; items: string }, models: PythonTypes) {
  const schema = document.components.schemas[component]?.properties?.[items] ?? {};
  return models.typeOf(schema, component + pascalCase(items)).replace(/^List\[(.*)\]$/, '$1');
}

function assertDistinct(operationId: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${operationId} has two parameters with the name ${twice}`);
}
