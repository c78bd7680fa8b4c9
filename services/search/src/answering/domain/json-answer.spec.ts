import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { excerptOf } from '../../test/excerpts.js';
import { Evidence } from './evidence.js';
import { proveJson, readReply } from './json-answer.js';
import { SourceAddresses } from './link-filter.js';

fc.configureGlobal({ seed: testSeed() });

const NO_LINKS = new SourceAddresses([]);

const schema = {
  type: 'object' as const,
  properties: { degrees: { type: 'integer' as const }, color: { type: ['string' as const, 'null' as const] } },
  required: ['degrees'],
  additionalProperties: false,
};

describe('the reply of a model', () => {
  it.each([
    ['{"answer": {"degrees": 1200, "color": null}}', { degrees: 1200, color: null }],
    ['```json\n{"answer": {"degrees": 1200}}\n```', { degrees: 1200 }],
    ['{"answer": null}', null],
  ])('%j is read', (reply, value) => {
    expect(readReply(reply, schema, NO_LINKS)).toStrictEqual({ value });
  });

  it.each([
    ['The kiln is fired at 1,200 degrees.', /not JSON/],
    ['{"answer": {"degrees": 12', /not JSON/],
    ['{"degrees": 1200}', /./],
    ['{"answer": {"degrees": "hot"}}', /./],
    ['{"answer": {"color": "red"}}', /./],
    ['{"answer": {"degrees": 1, "secret": 2}}', /./],
    ['[]', /./],
    [`{"answer": {"degrees": 1, "color": ${'['.repeat(100_000)}`, /./],
  ])('%j has a problem', (reply, problem) => {
    expect(readReply(reply, schema, NO_LINKS)).toStrictEqual({ problem: expect.stringMatching(problem) });
  });

  it('is compared with the schema without links that no source contains', () => {
    const link = { type: 'object' as const, properties: { page: { type: 'string' as const, minLength: 10 } } };
    const read = (page: string) => {
      const known = new SourceAddresses([excerptOf('See https://kiln.example/manual.')]);
      return readReply(JSON.stringify({ answer: { page } }), link, known);
    };
    expect(read('https://kiln.example/manual')).toStrictEqual({ value: { page: 'https://kiln.example/manual' } });
    expect(read('https://evil.example/?q=KILN')).toStrictEqual({ problem: expect.stringMatching(/page/) });
  });

  it('has at most 2,000 values', () => {
    const list = {
      type: 'object' as const,
      properties: { a: { type: 'array' as const, items: { type: 'integer' as const } } },
    };
    const reply = JSON.stringify({ answer: { a: Array.from({ length: 2_000 }, () => 1) } });
    expect(readReply(reply, list, NO_LINKS)).toStrictEqual({ problem: 'it has more than 2000 values' });
  });
});

describe('the values of an answer', () => {
  const evidence = () =>
    new Evidence([
      excerptOf('The kiln is red. It is fired at 1,200 degrees. It weighs 1,200 kilograms.'),
      excerptOf('The warranty of the turbine is ten years. The turbine runs in light winds.'),
    ]);

  it('that a source contains are cited where they stand, and the others are named', async () => {
    const value = {
      weightInKilograms: 1200,
      'a/b': { price: 99, warranty_years: 10, persons: 10 },
      parts: ['The kiln is red', 'penguins on ice', 'yes', true, null],
    };
    const { text, citations, unsupported } = await proveJson(value, evidence());
    expect(JSON.parse(text)).toStrictEqual(value);
    expect(unsupported).toStrictEqual(['/a~1b/price', '/a~1b/persons', '/parts/1']);
    expect(citations.map(({ pointer, support }) => [pointer, support.excerpt, support.quote?.text])).toStrictEqual([
      ['/weightInKilograms', 0, 'It weighs 1,200 kilograms.'],
      ['/a~1b/warranty_years', 1, 'The warranty of the turbine is ten years.'],
      ['/parts/0', 0, 'The kiln is red.'],
    ]);
    const [weight, years, part] = citations.map(({ position }) => text.slice(position));
    expect(weight).toMatch(/^1200,/);
    expect(years).toMatch(/^10,/);
    expect(part).toMatch(/^"The kiln is red",/);
  });

  it('of several sentences need support for each', async () => {
    const summary = 'The kiln is red. The turbine runs in light winds.';
    const { citations, unsupported } = await proveJson(
      { a: summary, b: `${summary} Penguins sleep on ice.` },
      evidence(),
    );
    expect(citations.map(({ pointer, support }) => [pointer, support.excerpt])).toStrictEqual([
      ['/a', 0],
      ['/a', 1],
    ]);
    expect(unsupported).toStrictEqual(['/b']);
  });

  it('are written as JSON that is read as the same value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { text } = await proveJson(value, evidence());
        expect(text).toBe(JSON.stringify(value));
      }),
    );
  });
});
