import { describe, expect, it } from '@jest/globals';
import { isFiltered, mayShow, queryOf, readFilesSearch, sortedBy } from './files-search.js';

describe('the address of the list of files', () => {
  it('has filters and order, and anything else in it is ignored', () => {
    const search = readFilesSearch({
      q: 2026,
      status: 'failed',
      space: 'a b',
      sort: 'size_bytes',
      order: 'up',
      page: 3,
    });
    expect(search).toStrictEqual({ q: '2026', status: 'failed', space: 'a b', sort: 'size_bytes' });
    expect(queryOf(search)).toStrictEqual({
      search: '2026',
      status: 'failed',
      space: 'a b',
      sort_by: 'size_bytes',
      sort_order: 'desc',
    });
    expect(readFilesSearch({ q: ' ', status: 'gone', space: ['a'] })).toStrictEqual({});
  });

  it('without filters shows the newest files first', () => {
    expect(queryOf({})).toStrictEqual({ sort_by: 'created_at', sort_order: 'desc' });
    expect([isFiltered({ sort: 'filename' }), isFiltered({ space: 'a' })]).toStrictEqual([false, true]);
  });

  it('with filters counts only the new files that pass them', () => {
    const file = { filename: 'Glaze.txt', space: 'a' };
    expect(
      [{}, { q: 'glaze' }, { space: 'a' }, { status: 'uploading' as const }].map((search) => mayShow(search, file)),
    ).toStrictEqual([true, true, true, true]);
    expect(
      [{ q: 'kiln' }, { space: 'b' }, { status: 'completed' as const }].map((search) => mayShow(search, file)),
    ).toStrictEqual([false, false, false]);
  });

  it('sorts names from A, sizes from the largest, and the other way round at the second click', () => {
    expect(sortedBy({}, 'filename')).toStrictEqual({ sort: 'filename', order: 'asc' });
    expect(sortedBy({ sort: 'filename', order: 'asc' }, 'filename')).toStrictEqual({ sort: 'filename', order: 'desc' });
    expect(sortedBy({}, 'created_at')).toStrictEqual({ sort: 'created_at', order: 'asc' });
    expect(sortedBy({ sort: 'filename' }, 'size_bytes')).toStrictEqual({ sort: 'size_bytes', order: 'desc' });
  });
});
