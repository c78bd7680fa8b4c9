import { describe, expect, it } from '@jest/globals';
import { errorKinds } from '@kiln/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { scopesOf } from '../routes/route.js';
import { routeTable } from '../routes/route-table.js';
import { errorsOf, openApiDocument } from './document.js';

const document = openApiDocument(routeTable, { version: '0.1.1', publicUrl: undefined });

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

  it('lists every row with its success, its errors, its scopes and its parameters', () => {
    expect(operations.map((operation) => operation.operationId).sort()).toStrictEqual(
      routeTable.map(({ name }) => name).sort(),
    );
    for (const route of routeTable) {
      const operation = operations.find(({ operationId }) => operationId === route.name);
      if (!operation) throw new Error('no operation');
      expect([route.name, operation['x-required-scopes'] ?? []]).toStrictEqual([route.name, scopesOf(route)]);
      expect([route.name, operation.security.length]).toStrictEqual([
        route.name,
        { public: 0, portal: 1, key: 2 }[route.stack],
      ]);
      const statuses = new Set([route.success, ...errorsOf(route).map((code) => errorKinds[code].status)]);
      if (route.name === 'getReadiness') statuses.add(503);
      expect([route.name, Object.keys(operation.responses).sort()]).toStrictEqual([
        route.name,
        [...statuses].map(String).sort(),
      ]);
      const parameters = (operation.parameters ?? []).flatMap(({ name }) => name ?? []).sort();
      const described = [...Object.keys(route.params?.shape ?? {}), ...Object.keys(route.query?.shape ?? {})].sort();
      expect([route.name, parameters]).toStrictEqual([route.name, described]);
    }
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
    for (const { name, method, stack } of routeTable) {
      const operation = operations.find(({ operationId }) => operationId === name);
      const offered = operation?.parameters?.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key');
      expect([name, offered ?? false]).toStrictEqual([name, method === 'POST' && stack === 'key']);
    }
  });

  it('gives every row behind credentials the errors they can meet', () => {
    for (const route of routeTable.filter(({ stack }) => stack !== 'public')) {
      const errors = errorsOf(route);
      for (const code of ['UNAUTHORIZED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_ERROR'] as const) {
        expect([route.name, code, errors.includes(code)]).toStrictEqual([route.name, code, true]);
      }
      expect([route.name, errors.includes('FORBIDDEN')]).toStrictEqual([route.name, route.scope !== null]);
    }
  });
});
