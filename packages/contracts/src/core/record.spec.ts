import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { searchRequestSchema } from '../search/schemas.js';
import { customHeadersSchema } from '../webhooks/schemas.js';
import { recordSchema } from './record.js';
import { describeProblems } from './validation.js';

const problemsOf = (schema: z.ZodType, json: string) => {
  const { error } = schema.safeParse(JSON.parse(json));
  return error ? describeProblems(error) : null;
};

it('a record refuses the key __proto__ by its path, and keeps every other', () => {
  const schema = z.object({ metadata: recordSchema(z.string(), z.string()) });
  assert.equal(
    problemsOf(schema, '{"metadata":{"a":"1","__proto__":"x"}}'),
    'metadata.__proto__: is not a possible name',
  );
  assert.match(problemsOf(schema, '{"metadata":{"__proto__":{}}}') ?? '', /^metadata\.__proto__: /);
  const others = '{"metadata":{"constructor":"1","prototype":"2","toString":"3","hasOwnProperty":"4"}}';
  assert.deepEqual(schema.parse(JSON.parse(others)), JSON.parse(others));
  for (const wrong of ['{"metadata":null}', '{"metadata":[]}', '{"metadata":"x"}', '{}']) {
    assert.match(problemsOf(schema, wrong) ?? '', /^metadata: /, wrong);
  }
});

it('no filter of a search and no header of a webhook is lost', () => {
  assert.match(
    problemsOf(searchRequestSchema, '{"query":"x","metadata":{"__proto__":"x"}}') ?? '',
    /^metadata\.__proto__: /,
  );
  assert.match(problemsOf(customHeadersSchema, '{"__proto__":"x"}') ?? '', /^__proto__: /);
});

it('headers whose names differ in case only are one header, given twice', () => {
  const problem = problemsOf(z.object({ headers: customHeadersSchema }), '{"headers":{"X-A":"1","x-a":"2","X-B":"3"}}');
  assert.equal(problem, 'headers.x-a: is the same header as X-A; give it once');
  assert.equal(problemsOf(customHeadersSchema, '{"X-A":"1","X-B":"2"}'), null);
});
