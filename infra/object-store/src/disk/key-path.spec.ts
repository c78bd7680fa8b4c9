import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromByteString, toByteString } from '../byte-string.js';
import { hostileKey } from '../test-support/keys.js';
import { entryKind, entryOf, fileNameOf, splitKey } from './key-path.js';

const namesOf = (key: string): string[] => {
  const { folders, leaf } = splitKey(toByteString(key));
  return [...folders, leaf].map(fileNameOf);
};

test('every key comes back from its path', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      const entries = namesOf(key).map((name) => entryOf(name));
      assert.equal(fromByteString(entries.join('')), key);
    }),
  );
});

test('different keys have different paths, also where names ignore case', () => {
  fc.assert(
    fc.property(hostileKey, hostileKey, (a, b) => {
      if (a === b) return;
      assert.notEqual(namesOf(a).join('/').toLowerCase(), namesOf(b).join('/').toLowerCase());
    }),
  );
});

test('file names are short, plain ASCII and never . or ..', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      for (const name of namesOf(key)) {
        assert.match(name, /^[a-z0-9_.%-]*\.[doc]$/);
        assert.ok(name.length <= 242);
        assert.notEqual(name, '..');
      }
    }),
  );
});

test('an object never takes the name of a folder', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      const { folders, leaf } = splitKey(toByteString(key));
      assert.ok(folders.every((entry) => entryKind(entry) === 'folder'));
      assert.equal(entryKind(leaf), 'object');
    }),
  );
});

test('foreign file names are not objects', () => {
  for (const name of ['.DS_Store', 'lost+found', 'A.o', '%4A.o', '%61.o', 'a', 'a.x', `${'a'.repeat(80)}.o`]) {
    assert.equal(entryOf(name), undefined, name);
  }
});
