import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { searchRequestSchema } from '../search/search-request.js';
import { customHeadersSchema } from '../webhooks/schemas.js';
import { recordSchema } from './record.js';
import { describeProblems } from './validation.js';

const problemsOf = (schema: z.ZodType, json: string) => {
  const { error } = schema.safeParse(JSON.parse(json));
  return error ? describeProblems(error) : null;
};

it('a record refuses the key __proto__ by its path, and keeps every other', () => {
  const schema = z.object({ metadata: recordSchema(z.string(), z.string()) });
  expect(problemsOf(schema, '{"metadata":{"a":"1","__proto__":"x"}}')).toBe(
    'metadata.__proto__ is not a possible name',
  );
  expect(problemsOf(schema, '{"metadata":{"__proto__":{}}}') ?? '').toMatch(/^metadata\.__proto__ /);
  const others = '{"metadata":{"constructor":"1","prototype":"2","toString":"3","hasOwnProperty":"4"}}';
  expect(schema.parse(JSON.parse(others))).toStrictEqual(JSON.parse(others));
  for (const wrong of ['{"metadata":null}', '{"metadata":[]}', '{"metadata":"x"}', '{}']) {
    expect(problemsOf(schema, wrong) ?? '').toMatch(/^metadata /);
  }
});

it('no filter of a search and no header of a webhook is lost', () => {
  expect(problemsOf(searchRequestSchema, '{"query":"x","metadata":{"__proto__":"x"}}') ?? '').toMatch(
    /^metadata\.__proto__ /,
  );
  expect(problemsOf(customHeadersSchema, '{"__proto__":"x"}') ?? '').toMatch(/^__proto__ /);
});

it('headers whose names differ in case only are one header, given twice', () => {
  const problem = problemsOf(z.object({ headers: customHeadersSchema }), '{"headers":{"X-A":"1","x-a":"2","X-B":"3"}}');
  expect(problem).toBe('headers.x-a is the same header as X-A; give it once');
  expect(problemsOf(customHeadersSchema, '{"X-A":"1","X-B":"2"}')).toBeNull();
});
