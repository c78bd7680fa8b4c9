// Writes the types of bodies, responses and parameters.
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { DocumentedOperation, OpenApi } from './open-api.js';

/** Declarations of openapi-typescript that the SDK does not need: each path again, and what the document lacks. */
const DROPPED = new Set(['paths', 'webhooks', '$defs']);

export async function typesFile(document: OpenApi): Promise<string> {
  const nodes = await openapiTypescript(withoutErrors(document) as never, {
    defaultNonNullable: false,
    silent: true,
  });
  return astToString(nodes.filter((node) => !DROPPED.has(nameOf(node))));
}

const nameOf = (node: object): string => (node as { name?: { text?: string } }).name?.text ?? '';

/** Of each operation only its id, parameters, body and success, because every error has the same body. */
function withoutErrors(document: OpenApi): OpenApi {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([verb, operation]) => [verb, bare(operation)])),
    ]),
  );
  const { webhooks: _webhooks, ...rest } = document;
  return withoutExamples({ ...rest, paths, components: { schemas: document.components.schemas } }) as OpenApi;
}

function bare(operation: DocumentedOperation): object {
  const { operationId, parameters = [], requestBody } = operation;
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return {
    operationId,
    parameters: parameters.filter((parameter) => parameter.in !== undefined),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(successes.map(([status, { content }]) => [status, { description: '', content }])),
  };
}

/** A property of a schema may have the name `example` or `pattern`: those have an object as their value. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !(name === 'examples' && Array.isArray(inner)) && name !== 'example')
      .map(([name, inner]) => [name, withoutExamples(inner)]),
  );
}
