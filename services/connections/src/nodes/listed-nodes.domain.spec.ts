import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { decodeId, encodeId } from '@kiln/contracts';
import {
  folderId,
  foldersOf,
  isStorableKey,
  nodesOfPage,
  parentOf,
  rootOf,
  type ListedObject,
} from './listed-nodes.domain.js';

fc.configureGlobal({ seed: testSeed() });

const CONNECTION = '01938a10-4000-7000-8000-000000000004';
const object = (key: string): ListedObject => ({ key, sizeBytes: 1, etag: 'e', lastModified: new Date(0) });
const keyOf = fc
  .array(fc.constantFrom('a', 'b', '', 'c d', 'ü'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));

describe('the nodes of a listing', () => {
  it('begin below the last slash of the prefix', () => {
    expect(['', 'docs', 'docs/', 'docs/re', 'a/b/c'].map(rootOf)).toStrictEqual(['', '', 'docs/', 'docs/', 'a/b/']);
    expect(foldersOf('docs/a/b.txt', 'docs/')).toStrictEqual(['docs/a/']);
    expect(parentOf('docs/b.txt', 'docs/')).toBeNull();
    expect(parentOf('a/b/', '')).toBe('a/');
  });

  it('contain each path once, and every parent, for any keys', () => {
    fc.assert(
      fc.property(fc.uniqueArray(keyOf), (keys) => {
        const { nodes } = nodesOfPage(keys.map(object), '');
        const paths = nodes.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const { parent, path, name, file } of nodes) {
          if (parent !== null) expect(paths).toContain(parent);
          // The path is the parent and the name.
          expect((parent ?? '') + name + (file ? '' : '/')).toBe(path);
        }
        const files = keys.filter((key) => key !== '' && !key.endsWith('/'));
        expect(nodes.filter(({ file }) => file).map(({ path }) => path)).toStrictEqual(files);
      }),
    );
  });

  it('leave out and count objects that cannot be stored', () => {
    const page = [object('a/1'), object('a/b/2'), object('nul\0'), object('x'.repeat(2_001))];
    const { nodes, skipped } = nodesOfPage(page, '');
    expect(nodes.map(({ path }) => path)).toStrictEqual(['a/', 'a/b/', 'a/1', 'a/b/2']);
    expect(skipped).toBe(2);
    expect(isStorableKey('x'.repeat(2_000))).toBe(true);
    expect(isStorableKey(`${'d/'.repeat(100)}f`)).toBe(true);
    expect(isStorableKey(`${'d/'.repeat(101)}f`)).toBe(false);
  });

  it('leave out objects whose size, ETag or time cannot be stored, and return their paths, so that earlier nodes stay', () => {
    const bad: Partial<ListedObject>[] = [
      { sizeBytes: -1 },
      { sizeBytes: 1.5 },
      { sizeBytes: Number.NaN },
      { sizeBytes: 1e300 },
      { etag: 'a\0b' },
      { etag: 'e'.repeat(1_025) },
      { lastModified: new Date(Number.NaN) },
      { lastModified: new Date(8.64e15) },
    ];
    const page = [object('d/good'), ...bad.map((fields, at) => ({ ...object(`d/${at}`), ...fields }))];
    const { nodes, unstorable, skipped } = nodesOfPage(page, '');
    expect(nodes.map(({ path }) => path)).toStrictEqual(['d/', 'd/good']);
    expect(unstorable).toStrictEqual(bad.map((_, at) => `d/${at}`));
    expect(skipped).toBe(bad.length);
  });

  it('contain folders whose ids are UUIDv7s derived from connection and path alone', () => {
    const id = folderId(CONNECTION, 'a/b/');
    expect(id).toBe(folderId(CONNECTION, 'a/b/'));
    expect(id[14]).toBe('7');
    expect(id[19] ?? '').toMatch(/[89ab]/);
    // The id begins with the time of the connection's id.
    expect(id.slice(0, 13)).toBe(CONNECTION.slice(0, 13));
    expect(decodeId('node', encodeId('node', id))).toBe(id);
    const others = [folderId(CONNECTION, 'a/c/'), folderId('01938a10-4000-7000-8000-000000000005', 'a/b/')];
    expect(new Set([id, ...others]).size).toBe(3);
  });

  it('have the content type of their extension, or none', () => {
    const names = ['a.PDF', 'a.png', 'notes.md', 'a.tar.gz', 'README', '.env', 'a.constructor'];
    const { nodes } = nodesOfPage(names.map(object), '');
    expect(Object.fromEntries(nodes.map(({ name, file }) => [name, file?.contentType]))).toStrictEqual({
      'a.PDF': 'application/pdf',
      'a.png': 'image/png',
      'notes.md': 'text/markdown',
      'a.tar.gz': 'application/gzip',
      README: null,
      '.env': null,
      'a.constructor': null,
    });
  });
});
