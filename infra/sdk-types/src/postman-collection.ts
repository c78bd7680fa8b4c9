// A collection for Postman, Bruno and other clients, in Postman's format v2.1
// (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html). It has the requests with their examples, and no secrets.
import { fileURLToPath } from 'node:url';
import { formatText } from './format-text.js';
import type { DocumentedOperation, OpenApi, Parameter, Schema } from './open-api.js';

export const COLLECTION_FILE = fileURLToPath(new URL('../../../docs/kiln.postman_collection.json', import.meta.url));
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Scheme of the OpenAPI document → what the header has before the credentials, and the variable that has them. */
const CREDENTIALS: Readonly<Record<string, readonly [word: string, variable: string]>> = {
  ApiKey: ['ApiKey', 'api_key'],
  PortalToken: ['PortalToken', 'portal_token'],
};
const VARIABLES = { base_url: 'http://127.0.0.1:8080', api_key: '', portal_token: '' };

interface ExampleSchema extends Schema {
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  format?: string;
  contentMediaType?: string;
}
type NamedParameter = Required<Pick<Parameter, 'name' | 'in'>> &
  Parameter & { schema?: ExampleSchema; example?: unknown; description?: string };
type Operation = DocumentedOperation & { security?: Record<string, unknown>[] };
interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** The text of the collection: a folder for each tag, a request for each operation and each kind of body. */
export async function postmanCollection(document: OpenApi): Promise<string> {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Endpoint => ({ method, path, operation })),
  );
  const tags = [...new Set(endpoints.flatMap(({ operation }) => operation.tags))];
  const collection = {
    info: {
      name: 'Kiln API',
      description: 'Generated from the OpenAPI document. Set the variables `base_url` and `api_key`.',
      version: document.info.version,
      schema: SCHEMA,
    },
    auth: authOf('ApiKey'),
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: tags.map((name) => ({
      name,
      item: endpoints
        .filter(({ operation }) => operation.tags.includes(name))
        .flatMap((endpoint) => requestsOf(document, endpoint)),
    })),
  };
  return formatText('collection.json', JSON.stringify(collection, null, 2));
}

function requestsOf(document: OpenApi, { method, path, operation }: Endpoint) {
  const { summary, description, requestBody, security = [] } = operation;
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const schemes = security.flatMap((one) => Object.keys(one));
  const scheme = Object.keys(CREDENTIALS).find((name) => schemes.includes(name));
  const request = {
    method: method.toUpperCase(),
    description: description ?? '',
    header: parameters.filter(({ in: place }) => place === 'header').map(optional),
    url: urlOf(path, parameters),
    // The collection has the key of an organization.
    ...(scheme !== 'ApiKey' && { auth: scheme === undefined ? { type: 'noauth' } : authOf(scheme) }),
  };
  const bodies = Object.entries(requestBody?.content ?? {});
  if (bodies.length === 0) return [{ name: summary, request, response: [] }];
  return bodies.map(([type, { schema, example }]) => ({
    name: bodies.length === 1 ? summary : `${summary} (${type})`,
    request: { ...request, body: type === 'multipart/form-data' ? formOf(document, schema) : jsonOf(example) },
    response: [],
  }));
}

function authOf(scheme: string) {
  const [word, variable] = CREDENTIALS[scheme] ?? [];
  const fields = { key: 'Authorization', value: `${word} {{${variable}}}`, in: 'header' };
  return { type: 'apikey', apikey: Object.entries(fields).map(([key, value]) => ({ key, value, type: 'string' })) };
}

function urlOf(path: string, parameters: readonly NamedParameter[]) {
  const valueOf = (name: string) => textOf(exampleOf(parameters.find((one) => one.in === 'path' && one.name === name)));
  // A variable is a whole segment: in `{page}.png` it is replaced by its example.
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) =>
      segment.replace(/^\{(\w+)\}$/, ':$1').replaceAll(/\{(\w+)\}/g, (_all, name: string) => valueOf(name)),
    );
  const variable = segments
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => ({ key: segment.slice(1), value: valueOf(segment.slice(1)) }));
  const query = parameters.filter(({ in: place }) => place === 'query').flatMap(queryOf);
  const raw = `{{base_url}}/${segments.join('/')}`;
  return { raw, host: ['{{base_url}}'], path: segments, variable, query };
}

/** An object in the query, such as `metadata`, is a parameter for each of its fields. */
function queryOf(parameter: NamedParameter) {
  const { example, schema } = parameter;
  if (schema?.type !== 'object' || typeof example !== 'object' || example === null) return [optional(parameter)];
  return Object.entries(example).map(([name, value]) => optional({ ...parameter, name, example: value as unknown }));
}

function optional(parameter: NamedParameter) {
  const { name, required = false, schema, description = schema?.description } = parameter;
  return {
    key: name,
    value: textOf(exampleOf(parameter)),
    ...(description !== undefined && { description }),
    ...(!required && { disabled: true }),
  };
}

const jsonOf = (example: unknown) => ({
  mode: 'raw',
  raw: JSON.stringify(example ?? {}, null, 2),
  options: { raw: { language: 'json' } },
});

function formOf(document: OpenApi, schema: Schema) {
  const { properties = {}, required = [] } = dereferenced(document, schema);
  const formdata = Object.entries(properties).map(([key, property]) => {
    const { format: kind, contentMediaType } = property as ExampleSchema;
    const isFile = kind === 'binary' || contentMediaType !== undefined;
    const value = isFile ? { type: 'file', src: [] } : { type: 'text', value: textOf(exampleOf({ schema: property })) };
    return { key, ...value, ...(!required.includes(key) && { disabled: true }) };
  });
  return { mode: 'formdata', formdata };
}

function exampleOf(parameter: { schema?: ExampleSchema; example?: unknown } = {}): unknown {
  const { example, schema = {} } = parameter;
  return example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? schema.minimum ?? '';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function resolved(document: OpenApi, parameter: Parameter): NamedParameter {
  const found = parameter.$ref === undefined ? parameter : document.components.parameters?.[nameOf(parameter.$ref)];
  if (found?.name === undefined || found.in === undefined)
    throw new Error(`${parameter.$ref} is no parameter of the document`);
  return found as NamedParameter;
}

const dereferenced = (document: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {});

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
