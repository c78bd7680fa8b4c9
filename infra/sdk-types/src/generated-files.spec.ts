import { publishedDocument } from '@kiln/gateway/openapi-document';
import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_FOLDER, generatedFiles } from './generated-files.js';
import { methodsOf } from './methods.js';
import type { DocumentedOperation, OpenApi } from './open-api.js';
import { PYTHON_FOLDER, pythonFiles } from './python/generated-files.js';

const document = publishedDocument() as unknown as OpenApi;

it('the generated files of the SDKs are those of the OpenAPI document: `npm run sdk:generate` writes them', async () => {
  for (const [folder, expected] of [
    [GENERATED_FOLDER, await generatedFiles(document)],
    [PYTHON_FOLDER, pythonFiles(document)],
  ] as const) {
    const isGenerated = (name: string) => name.endsWith('.ts') || name.endsWith('.py');
    expect(readdirSync(folder).filter(isGenerated).sort()).toStrictEqual([...expected.keys()].sort());
    const changed = [...expected].filter(([name, text]) => readFileSync(join(folder, name), 'utf8') !== text);
    expect(changed.map(([name]) => name)).toStrictEqual([]);
  }
});

it('the Python SDK has the license of Kiln, which a wheel can only take from its own folder', () => {
  const root = join(PYTHON_FOLDER, '../../../../..');
  expect(readFileSync(join(root, 'sdk/python/LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
});

it('every operation with a JSON response has one method', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const withJson = operations.filter(({ responses }) => responses['200']?.content?.['application/json'] !== undefined);
  const named = new Set(methodsOf(document).map(({ operationId }) => operationId));
  expect(withJson.length).toBeGreaterThan(50);
  const missing = withJson.filter(({ operationId }) => !named.has(operationId)).map(({ operationId }) => operationId);
  expect(missing).toStrictEqual(['getOpenApi']);
});

const listThings = (tag: string): DocumentedOperation => ({
  operationId: 'listThings',
  tags: [tag],
  summary: 'List things.',
  responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } } } },
});

it('two operations of the same name are an error that says how to end it', () => {
  const paths = {
    '/v1/a': { get: listThings('Things') },
    '/v1/b': { get: { ...listThings('Things'), operationId: 'list' } },
  };
  const components = { schemas: { Things: { type: 'object' } } };
  expect(() => methodsOf({ info: { version: '1' }, paths, components })).toThrow('add an exception to names.ts');
});

it('a method has the name of its operation without the noun of its tag', () => {
  const paths = { '/v1/a': { get: listThings('Things') }, '/v1/b': { get: listThings('Other things') } };
  const components = { schemas: { Things: { type: 'object' } } };
  const names = methodsOf({ info: { version: '1' }, paths, components }).map(({ resource, method }) => [
    resource,
    method,
  ]);
  expect(names).toStrictEqual([
    ['things', 'list'],
    ['otherThings', 'listThings'],
  ]);
});
