import { describe, expect, it } from '@jest/globals';
import { answerFormatSchema } from './answer-format.js';

const problemOf = (schema: unknown) => {
  const [issue] = answerFormatSchema.safeParse({ type: 'json', schema }).error?.issues ?? [];
  return issue ? `${issue.path.join('.')} ${issue.message}` : null;
};

const nested = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ type: 'array', items: inner }), { type: 'string' });

describe('a schema of answers', () => {
  it.each([
    { type: 'object', properties: { price: { type: ['number', 'null'], minimum: 0 } }, required: ['price'] },
    { type: 'object', properties: { parts: { type: 'array', items: { enum: ['door', 'floor', null] }, maxItems: 5 } } },
    { type: 'object', properties: { a: { anyOf: [{ const: 1 }, { type: 'string', maxLength: 5 }] } }, title: 'A' },
    { type: 'object', properties: { a: nested(20) } },
  ])('%j is accepted', (schema) => {
    expect(problemOf(schema)).toBeNull();
  });

  it.each([
    [{ type: 'array', items: { type: 'string' } }, /^schema\.type must be "object"/],
    [{ type: 'object', properties: { a: { type: 'text' } } }, /^schema\.properties\.a/],
    [{ type: 'object', properties: { a: {} } }, /^schema\.properties\.a must have type/],
    [
      { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
      /^schema\.properties\.a has keywords that are not supported: pattern/,
    ],
    [{ type: 'object', $ref: '#' }, /\$ref/],
    [{ type: 'object', properties: {}, required: ['a'] }, /^schema\.required must name members/],
    [{ type: 'object', properties: { a: { enum: Array.from({ length: 101 }, (_, at) => at) } } }, /enum/],
    [{ type: 'object', properties: { a: nested(30) } }, /24 levels/],
    [{ type: 'object', properties: { a: nested(100_000) } }, /24 levels/],
    [{ type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(16_000) } } }, /16,000 characters/],
    ['object', /^schema /],
  ])('is refused with what is wrong and where', (schema, problem) => {
    expect(problemOf(schema)).toMatch(problem);
  });
});
