import { publishedDocument } from '@kiln/gateway/openapi-document';
import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { OpenApi } from './open-api.js';
import { COLLECTION_FILE, postmanCollection } from './postman-collection.js';

interface Item {
  name: string;
  request: {
    method: string;
    url: { path: string[]; variable: { key: string; value: string }[] };
    auth?: { type: string };
  };
}
interface Collection {
  variable: { key: string; value: string }[];
  item: { name: string; item: Item[] }[];
}

const document = publishedDocument() as unknown as OpenApi;
const collection = JSON.parse(await postmanCollection(document)) as Collection;
const items = collection.item.flatMap(({ item }) => item);

it('the collection is that of the OpenAPI document: `npm run collection:generate` writes it', async () => {
  // Compared as a boolean: the difference of two long texts helps less than the command.
  expect(readFileSync(COLLECTION_FILE, 'utf8') === (await postmanCollection(document))).toBe(true);
});

it('the collection has a request for each operation, once in one folder', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const segmentOf = (text: string) => (text === '1.png' ? '{page}.png' : text.replace(/^:(\w+)$/, '{$1}'));
  const named = items.map(({ request: { method, url } }) => `${method} /${url.path.map(segmentOf).join('/')}`);
  expect([...new Set(named)].sort()).toStrictEqual(operations.sort());
  expect(new Set(items.map(({ name, request }) => `${name} ${request.url.path.join('/')}`)).size).toBe(items.length);
});

it('every variable in a path has a value, except tokens, which are secrets', () => {
  const variables = items.flatMap(({ request }) => request.url.variable);
  expect(variables.length).toBeGreaterThan(30);
  const empty = variables.filter(({ value }) => value === '').map(({ key }) => key);
  expect([...new Set(empty)]).toStrictEqual(['token']);
});

it('credentials are variables without a value', () => {
  expect(Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))).toStrictEqual({
    base_url: 'http://127.0.0.1:8080',
    api_key: '',
    portal_token: '',
  });
  expect(readFileSync(COLLECTION_FILE, 'utf8')).not.toMatch(/kiln_(live|test|pt)_\w/);
});
