import { describe, expect, it } from '@jest/globals';
import { errorKinds } from '@kiln/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { scopesOf, successOf } from '../routes/row-facts.domain.js';
import { routeTable } from '../routes/table.routes.js';
import { errorsOf, openApiDocument } from './document.view.js';

const document = openApiDocument(routeTable, { version: '0.2.0', publicUrl: undefined });

interface DocumentedOperation {
  operationId: string;
  security: unknown[];
  'x-required-scopes'?: string[];
  parameters?: { name?: string; in?: string; $ref?: string }[];
  responses: Record<string, { content: Record<string, { example?: unknown }> }>;
}

const operations = Object.values(document['paths'] as Record<string, Record<string, DocumentedOperation>>).flatMap(
  (path) => Object.values(path),
);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, references included', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors ?? []).toStrictEqual([]);
    expect(validator.version).toBe('3.1');
  });

  it('lists every row of the route table', () => {
    expect(operations.map((operation) => operation.operationId).sort()).toStrictEqual(
      routeTable.map(({ name }) => name).sort(),
    );
  });

  it.each(routeTable)('describes $name with its success, its errors, its scopes and its parameters', (route) => {
    const operation = operations.find(({ operationId }) => operationId === route.name);
    if (!operation) throw new Error('the document has no such operation');
    expect(operation['x-required-scopes'] ?? []).toStrictEqual(scopesOf(route));
    expect(operation.security).toHaveLength({ public: 0, portal: 1, key: 2, shared: 3 }[route.stack]);
    const statuses = new Set([successOf(route), ...errorsOf(route).map((code) => errorKinds[code].status)]);
    if (route.name === 'getReadiness') statuses.add(503);
    if (route.isConditional) statuses.add(304);
    expect(Object.keys(operation.responses).sort()).toStrictEqual([...statuses].map(String).sort());
    const parameters = (operation.parameters ?? []).flatMap(({ name }) => name ?? []).sort();
    const described = [route.params, route.query, route.headers].flatMap((schema) => Object.keys(schema?.shape ?? {}));
    expect(parameters).toStrictEqual(described.sort());
  });

  it('names the operations that may wait for a connected bucket or the server of a URL with 424, and no code of the inner workings', () => {
    const waiting = operations.filter(({ responses }) => '424' in responses).map(({ operationId }) => operationId);
    expect(waiting.sort()).toStrictEqual([
      'browseConnection',
      'commitNodeUpload',
      'createFile',
      'downloadFile',
      'downloadNode',
      'downloadPortalFile',
      'getPageImage',
      'getPortalPageImage',
      'initNodeUpload',
      'previewSync',
      'processBatch',
      'processFile',
      'retryJob',
    ]);
    expect(JSON.stringify(document)).not.toContain('SUPERSEDED');
  });

  it('says what the limit of a list can be, and what it is without one', () => {
    const parameters = operations.find(({ operationId }) => operationId === 'listFiles')?.parameters ?? [];
    expect(parameters.find(({ name }) => name === 'limit')).toStrictEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
  });

  it('offers the Idempotency-Key on every POST behind a key, and nowhere else', () => {
    const offering = operations.filter(({ parameters }) =>
      parameters?.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key'),
    );
    const posting = routeTable.filter(({ method, stack }) => method === 'POST' && stack === 'key');
    expect(offering.map(({ operationId }) => operationId).sort()).toStrictEqual(posting.map(({ name }) => name).sort());
  });

  it.each(routeTable.filter(({ stack }) => stack !== 'public'))('gives $name the errors of credentials', (route) => {
    const errors = errorsOf(route);
    expect(errors).toStrictEqual(
      expect.arrayContaining(['UNAUTHORIZED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_ERROR']),
    );
    expect(errors.includes('FORBIDDEN')).toBe(route.scope !== null);
  });
});
