// What the SDK needs to know of each operation to offer it as a method.
import { methodNameOf, withoutMethod, type MethodName } from './names.js';
import { componentOf, type DocumentedOperation, type OpenApi, type Parameter, type Schema } from './open-api.js';

export interface Method extends MethodName {
  operationId: string;
  summary: string;
  description: string | undefined;
  verb: string;
  path: string;
  pathParameters: { name: string; type: string; schema: Schema }[];
  query: Parameter[];
  body: { component: string; required: boolean } | null;
  result: Result;
  /** The component of each event, if the response can be streamed. */
  events: string | null;
  /** Whether an Idempotency-Key makes a repeat safe. */
  isKeyed: boolean;
}

export type Result =
  | { kind: 'json'; component: string }
  /** A page of a list: `items` is the property with its entries. */
  | { kind: 'list'; component: string; items: string }
  | { kind: 'bytes' };

/** Throws if two operations have the same name. Operations that only stream are written by hand. */
export function methodsOf(document: OpenApi): Method[] {
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => methodOf(document, path, verb, operation) ?? []),
  );
  const seen = new Map<string, string>();
  for (const { resource, method, operationId } of methods) {
    const name = `${resource}.${method}`;
    if (seen.has(name))
      throw new Error(`${operationId} and ${seen.get(name)} are both named ${name}: add an exception to names.ts`);
    seen.set(name, operationId);
  }
  return methods;
}

function methodOf(document: OpenApi, path: string, verb: string, operation: DocumentedOperation): Method | null {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const content = contentOf(operation);
  const isOnlyStreamed = Object.keys(content).every((type) => type === 'text/event-stream');
  if (withoutMethod.has(operationId) || isOnlyStreamed) return null;
  const json = requestBody?.content['application/json'];
  const events = content['text/event-stream'];
  return {
    ...methodNameOf(operation),
    operationId,
    summary,
    description,
    verb: verb.toUpperCase(),
    path,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name = '', schema = {} }) => ({ name, schema, type: typeOf(operationId, name, schema) })),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body:
      requestBody && json ? { component: componentOf(json.schema, operationId), required: requestBody.required } : null,
    result: resultOf(document, operation),
    events: events ? componentOf(events.schema, operationId) : null,
    isKeyed: parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')),
  };
}

function contentOf({ operationId, responses }: DocumentedOperation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  if (!success) throw new Error(`${operationId} has no success`);
  return success;
}

function resultOf({ components }: OpenApi, operation: DocumentedOperation): Result {
  const json = contentOf(operation)['application/json'];
  if (!json) return { kind: 'bytes' };
  const component = componentOf(json.schema, operation.operationId);
  const properties = components.schemas[component]?.properties ?? {};
  const takesCursor = operation.parameters?.some(({ name }) => name === 'cursor');
  const [items, ...others] = Object.keys(properties).filter((name) => properties[name]?.type === 'array');
  if (!takesCursor || !('next_cursor' in properties)) return { kind: 'json', component };
  if (items === undefined || others.length > 0) throw new Error(`${component} must have one array: its entries`);
  return { kind: 'list', component, items };
}

function typeOf(operationId: string, name: string, schema: Schema): string {
  if (schema.type === 'string' && !schema.enum) return 'string';
  if (schema.type === 'integer') return 'number';
  return `PathParameters<'${operationId}'>['${name}']`;
}
