import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeId, encodeId } from '@kiln/contracts';
import {
  folderId,
  foldersOf,
  isStorableKey,
  nodesOfPage,
  parentOf,
  rootOf,
  type ListedObject,
} from './listed-nodes.js';
import { typeOfName } from './type-of-name.js';

const CONNECTION = '01938a10-4000-7000-8000-000000000004';
const object = (key: string): ListedObject => ({ key, sizeBytes: 1, etag: 'e', lastModified: new Date(0) });
const keyOf = fc
  .array(fc.constantFrom('a', 'b', '', 'c d', 'ü'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));

describe('nodes of a listing', () => {
  it('begin below the last slash of the prefix', () => {
    assert.deepEqual(['', 'docs', 'docs/', 'docs/re', 'a/b/c'].map(rootOf), ['', '', 'docs/', 'docs/', 'a/b/']);
    assert.deepEqual(foldersOf('docs/a/b.txt', 'docs/'), ['docs/a/']);
    assert.equal(parentOf('docs/b.txt', 'docs/'), null);
    assert.equal(parentOf('a/b/', ''), 'a/');
  });

  it('are each made once, and every parent is among them, whatever the keys', () => {
    fc.assert(
      fc.property(fc.uniqueArray(keyOf), (keys) => {
        const { nodes, folders } = nodesOfPage(keys.map(object), '', new Set());
        const paths = nodes.map(({ path }) => path);
        assert.equal(new Set(paths).size, paths.length);
        for (const { parent, path, name, file } of nodes) {
          assert.ok(parent === null || folders.has(parent), path);
          assert.equal((parent ?? '') + name + (file ? '' : '/'), path, 'the path is the parent and the name');
        }
        const files = keys.filter((key) => key !== '' && !key.endsWith('/'));
        assert.deepEqual(
          nodes.filter(({ file }) => file).map(({ path }) => path),
          files,
        );
      }),
    );
  });

  it('leave out folders that an earlier page has made, and count what can not be kept', () => {
    const page = [object('a/1'), object('a/b/2'), object('nul\0'), object('x'.repeat(2_001))];
    const { nodes, folders, skipped } = nodesOfPage(page, '', new Set(['a/']));
    assert.deepEqual(
      nodes.map(({ path }) => path),
      ['a/b/', 'a/1', 'a/b/2'],
    );
    assert.deepEqual([[...folders], skipped], [['a/', 'a/b/'], 2]);
    assert.ok(isStorableKey('x'.repeat(2_000)));
    assert.ok(isStorableKey(`${'d/'.repeat(100)}f`));
    assert.ok(!isStorableKey(`${'d/'.repeat(101)}f`));
  });

  it('leave out objects with a size, ETag or time that can not be kept, and name them, so that earlier nodes stay', () => {
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
    const { nodes, kept, skipped } = nodesOfPage(page, '', new Set());
    assert.deepEqual(
      nodes.map(({ path }) => path),
      ['d/', 'd/good'],
    );
    assert.deepEqual(
      kept,
      bad.map((_, at) => `d/${at}`),
    );
    assert.equal(skipped, bad.length);
  });

  it('have folders whose ids are UUIDv7s that follow from connection and path alone', () => {
    const id = folderId(CONNECTION, 'a/b/');
    assert.equal(id, folderId(CONNECTION, 'a/b/'));
    assert.equal(id[14], '7');
    assert.match(id[19] ?? '', /[89ab]/);
    assert.equal(id.slice(0, 13), CONNECTION.slice(0, 13), 'the time of the connection');
    assert.equal(decodeId('node', encodeId('node', id)), id);
    const others = [folderId(CONNECTION, 'a/c/'), folderId('01938a10-4000-7000-8000-000000000005', 'a/b/')];
    assert.equal(new Set([id, ...others]).size, 3);
  });

  it('are of the type that their names tell, or of none', () => {
    assert.deepEqual(['a.PDF', 'a.png', 'notes.md', 'a.tar.gz', 'README', '.env', 'a.constructor'].map(typeOfName), [
      'application/pdf',
      'image/png',
      'text/markdown',
      'application/gzip',
      null,
      null,
      null,
    ]);
  });
});
