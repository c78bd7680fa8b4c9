import { describe, expect, it } from '@jest/globals';
import { ruleCheck, type CheckedObject, type ObjectRules } from './object-rules.domain.js';

const object = (key: string, fields: Partial<CheckedObject> = {}): CheckedObject => ({
  key,
  sizeBytes: 10,
  lastModified: new Date('2026-06-01T00:00:00Z'),
  ...fields,
});
const ruleOf = (rules: ObjectRules, checked: CheckedObject) => ruleCheck(rules)([checked]).get(checked.key) ?? null;
const selected = (rules: ObjectRules, keys: readonly string[]) =>
  keys.filter((key) => ruleOf(rules, object(key)) === null);

const KEYS = ['a.pdf', 'A.PDF', 'contracts/b.pdf', 'contracts/2026/c.pdf', 'contracts/.hidden/d.pdf', 'notes/e.txt'];

describe('the rules of a connection', () => {
  it('select all objects when none is set', () => {
    const empty = {
      include: [],
      exclude: [],
      min_size: null,
      modified_after: null,
      content_types: [],
      storage_classes: [],
    };
    expect([selected({}, KEYS), selected(empty, KEYS)]).toStrictEqual([KEYS, KEYS]);
  });

  it.each<[string, string[]]>([
    ['*.pdf', ['a.pdf', 'contracts/b.pdf', 'contracts/2026/c.pdf', 'contracts/.hidden/d.pdf']],
    ['contracts/*', ['contracts/b.pdf']],
    ['contracts/**', ['contracts/b.pdf', 'contracts/2026/c.pdf', 'contracts/.hidden/d.pdf']],
    ['**/c.pdf', ['contracts/2026/c.pdf']],
    ['{notes,contracts}/?.{txt,pdf}', ['contracts/b.pdf', 'notes/e.txt']],
    ['[A-Z].PDF', ['A.PDF']],
  ])('include by %p, by case, and names that begin with a dot too', (pattern, keys) => {
    expect(selected({ include: [pattern] }, KEYS)).toStrictEqual(keys);
    expect(selected({ exclude: [pattern] }, KEYS)).toStrictEqual(KEYS.filter((key) => !keys.includes(key)));
  });

  it.each<[string, string[], string[]]>([
    ['!a', ['!a'], ['a']],
    ['+(a)', ['+(a)'], ['a', 'aa', '+a']],
    ['Invoices (2024)/**', ['Invoices (2024)/a.pdf'], ['Invoices 2024/a.pdf']],
    ['* (draft).pdf', ['a (draft).pdf', 'in/b (draft).pdf'], ['a draft.pdf']],
    ['{a(1),b}*', ['a(1).pdf', 'b.pdf'], ['a1.pdf']],
    ['[(]*', ['(a'], ['a']],
    ['a*|b*', ['a1|b2'], ['a1', 'b2']],
    ['"a"*', ['"a".pdf'], ['a.pdf']],
    [String.raw`\(a\)\**`, ['(a)*.pdf'], ['a*.pdf', '(a).pdf']],
  ])('take `!`, parentheses, bars and quotes in %p literally', (pattern, matching, others) => {
    expect(selected({ include: [pattern] }, [...matching, ...others])).toStrictEqual(matching);
    expect(selected({ exclude: [pattern] }, [...matching, ...others])).toStrictEqual(others);
  });

  it('match line breaks in a key as any other character', () => {
    const keys = ['in/a\nb.pdf', 'in/a\r\nb.pdf', 'in/a\u2028b.pdf'];
    expect(['in/**', 'in/*', '*.pdf'].map((pattern) => selected({ include: [pattern] }, keys))).toStrictEqual([
      keys,
      keys,
      keys,
    ]);
  });

  it('name the first rule that leaves an object out', () => {
    const rules: ObjectRules = {
      include: ['in/**'],
      exclude: ['in/drafts/**'],
      min_size: 5,
      max_size: 20,
      modified_after: '2026-05-01T00:00:00.000Z',
      content_types: ['application/pdf', 'image/*'],
      storage_classes: ['standard'],
    };
    expect(
      [
        object('out/a.pdf', { sizeBytes: 1 }),
        object('in/drafts/a.pdf'),
        object('in/a.pdf', { sizeBytes: 4 }),
        object('in/a.pdf', { sizeBytes: 21 }),
        object('in/a.pdf', { lastModified: new Date('2026-05-01T00:00:00Z') }),
        object('in/a.txt'),
        object('in/without-extension'),
        object('in/a.pdf', { storageClass: 'GLACIER_IR' }),
        object('in/a.pdf', { storageClass: 'STANDARD', sizeBytes: 5 }),
        object('in/a.png', { sizeBytes: 20 }),
      ].map((checked) => ruleOf(rules, checked)),
    ).toStrictEqual([
      'include',
      'exclude',
      'min_size',
      'max_size',
      'modified_after',
      'content_types',
      'content_types',
      'storage_classes',
      null,
      null,
    ]);
  });

  it('fail when a pattern takes too long for a key, instead of blocking the process', () => {
    const check = ruleCheck({ include: [`${'*a'.repeat(40)}b`] }, 50);
    expect(() => check([object('a'.repeat(1_000))])).toThrow(/takes too long/);
  });
});
