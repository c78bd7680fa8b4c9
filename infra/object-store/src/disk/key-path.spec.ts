import { expect, test } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { fromByteString, toByteString } from '../byte-string.js';
import { hostileKey } from '../test-support/keys.js';
import { entryKind, entryOf, fileNameOf, splitKey } from './key-path.js';

fc.configureGlobal({ seed: testSeed() });

const namesOf = (key: string): string[] => {
  const { folders, leaf } = splitKey(toByteString(key));
  return [...folders, leaf].map(fileNameOf);
};

test('every key can be decoded from its path', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      const entries = namesOf(key).map((name) => entryOf(name));
      expect(fromByteString(entries.join(''))).toBe(key);
    }),
  );
});

test('different keys have different paths, even on file systems that ignore case', () => {
  fc.assert(
    fc.property(hostileKey, hostileKey, (a, b) => {
      if (a === b) return;
      expect(namesOf(a).join('/').toLowerCase()).not.toBe(namesOf(b).join('/').toLowerCase());
    }),
  );
});

test('file names are short, plain ASCII and never . or ..', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      for (const name of namesOf(key)) {
        expect(name).toMatch(/^[a-z0-9_.%-]*\.[doc]$/);
        expect(name.length).toBeLessThanOrEqual(242);
        expect(name).not.toBe('..');
      }
    }),
  );
});

test('an object never has the name of a folder', () => {
  fc.assert(
    fc.property(hostileKey, (key) => {
      const { folders, leaf } = splitKey(toByteString(key));
      expect(folders.filter((entry) => entryKind(entry) !== 'folder')).toStrictEqual([]);
      expect(entryKind(leaf)).toBe('object');
    }),
  );
});

test.each(['.DS_Store', 'lost+found', 'A.o', '%4A.o', '%61.o', 'a', 'a.x', `${'a'.repeat(80)}.o`])(
  'a filename that the store did not create is not an object: %s',
  (name) => {
    expect(entryOf(name)).toBeUndefined();
  },
);
