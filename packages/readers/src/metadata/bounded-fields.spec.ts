import { describe, expect, it } from '@jest/globals';
import { boundedFields } from './bounded-fields.js';

describe('fields that a document states', () => {
  it('are kept as they are, without those that are empty', () => {
    const fields = { title: 'Clay', pages: 3, tagged: false, list: ['a', 'b'], front: { a: { b: 'c' } } };
    expect(boundedFields({ ...fields, gone: null, missing: undefined, wrong: Number.NaN })).toStrictEqual(fields);
  });

  it('are shortened: each text, each list, all of them together, and what is nested', () => {
    const { text, list, deep } = boundedFields({
      text: 'x'.repeat(5_000),
      list: Array.from({ length: 5_000 }, (_, at) => at),
      deep: { a: { b: { c: { d: 'e' } } } },
    });
    expect([String(text).length, (list as number[]).length, deep]).toStrictEqual([1_000, 200, { a: { b: {} } }]);
    const words = Array.from({ length: 200 }, () => 'y'.repeat(2_000));
    const all = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`name ${at}`, words]));
    expect(JSON.stringify(boundedFields(all)).length).toBeLessThan(70_000);
  });

  it('stay well-formed text when they are cut within a character', () => {
    const { text } = boundedFields({ text: `${'x'.repeat(999)}😀` }) as { text: string };
    expect(text.isWellFormed()).toBe(true);
  });
});
