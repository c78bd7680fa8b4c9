import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findSpecs } from './find-specs.js';
import { parseTotals } from './run-specs.js';

describe('the files of a test run', () => {
  const repository = mkdtempSync(join(tmpdir(), 'kiln-specs-'));
  after(() => rmSync(repository, { recursive: true }));
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

  it('are sorted into unit, integration and acceptance, without leftovers of deleted sources', () => {
    assert.deepEqual(findSpecs(repository, 'unit'), ['packages/a/dist/one.spec.js']);
    assert.deepEqual(findSpecs(repository, 'integration'), ['services/b/dist/store/two.int.spec.js']);
    assert.deepEqual(findSpecs(repository, 'acceptance'), ['acceptance/dist/upload.spec.js']);
  });

  it('never silently miss a source that was not compiled', () => {
    writeFileSync(join(repository, 'packages/a/src/new.spec.ts'), '');
    assert.throws(() => findSpecs(repository, 'unit'), /Not compiled: packages\/a\/dist\/new\.spec\.js/);
  });
});

describe('the totals', () => {
  it('count cancelled tests as failed, and come from the report’s end, not from a test’s output', () => {
    const tap = '# pass 99\nok 1 - a\n# tests 6\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n';
    assert.deepEqual(parseTotals(tap), { passed: 3, failed: 2, skipped: 1 });
  });
});
