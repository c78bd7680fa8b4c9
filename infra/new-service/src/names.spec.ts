import { describe, expect, it } from '@jest/globals';
import { fillIn, readNames } from './names.js';

const surroundings = { time: 1_795_300_000_000 };
const read = (...words: string[]) => readNames(words, surroundings);

describe('the names of a new service', () => {
  it('are its own, that of what it keeps, and its purpose without a full stop', () => {
    expect(read('billing', ' Invoices, of organizations. ', 'invoice')).toStrictEqual({
      service: 'billing',
      description: 'Invoices, of organizations',
      noun: 'invoice',
      ...surroundings,
    });
  });

  it('call what it keeps a note, unless a noun is given', () => {
    expect(read('billing', 'Invoices').noun).toBe('note');
  });

  it.each([
    ['a missing name', []],
    ['a path', ['../billing', 'Invoices']],
    ['capital letters', ['Billing', 'Invoices']],
    ['a name that does not fit into a line of the manifests', ['b'.repeat(21), 'Invoices']],
    ['a reserved word of SQL as the schema', ['order', 'Orders']],
    ['a missing purpose', ['billing']],
    ['a purpose that would end a JSON string', ['billing', 'Invoices"']],
    ['a purpose with two lines', ['billing', 'Invoices\nof organizations']],
    ['a noun with an irregular plural', ['billing', 'Invoices', 'entry']],
    ['a noun whose plural is a reserved word of SQL', ['billing', 'Invoices', 'reference']],
  ])('are refused: %s', (_what, words) => {
    expect(() => read(...words)).toThrow(
      expect.objectContaining({ code: 'name_invalid', message: expect.stringContaining('Usage: npm run new:service') }),
    );
  });

  it('replace every placeholder in texts and paths', () => {
    const names = read('billing', 'Invoices', 'invoice');
    expect(
      fillIn(
        '__time__-create-__noun__s __Noun__s__time__ __name__Operations __Name__ __version__ __version-in-names__ __description__',
        names,
      ),
    ).toBe('1795300000000-create-invoices Invoices1795300000000 billingOperations Billing 0.1.0 0-1-0 Invoices');
  });
});
