import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryDirectory } from '../repository.js';
import { leftoverSpecs, randomSpecs } from './compiled-specs.js';

describe('the files of a test run', () => {
  const repository = mkdtempSync(join(tmpdir(), 'kiln-specs-'));
  afterAll(() => rmSync(repository, { recursive: true }));
  for (const path of [
    'packages/a/src/one.spec.ts',
    'packages/a/dist/one.spec.js',
    'packages/a/dist/deleted.spec.js',
    'services/b/src/store/two.int.spec.ts',
    'services/b/dist/store/two.int.spec.js',
    'infra/c/src/three.ts',
    'acceptance/src/upload.spec.ts',
    'acceptance/dist/upload.spec.js',
  ]) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), '');
  }

  it('exclude compiled specs of deleted sources', () => {
    expect(leftoverSpecs(repository)).toStrictEqual([join(repository, 'packages/a/dist/deleted.spec.js')]);
  });

  it('make random data from the seed of the run, so that the step `stress` can change it and repeat it', () => {
    const leftover = leftoverSpecs(repositoryDirectory);
    const { seeded, unseeded } = randomSpecs(repositoryDirectory);
    expect(unseeded.filter((path) => !leftover.includes(path))).toStrictEqual([]);
    expect(seeded.length).toBeGreaterThan(0);
  });

  it('fail if a source was not compiled', () => {
    writeFileSync(join(repository, 'packages/a/src/new.spec.ts'), '');
    expect(() => leftoverSpecs(repository)).toThrow(/Not compiled: .*packages\/a\/dist\/new\.spec\.js/);
  });
});
