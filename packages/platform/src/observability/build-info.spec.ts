import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOfProgram } from './build-info.js';

describe('the version of a running service', () => {
  it('is that of the package to which its program belongs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kiln-version-'));
    try {
      mkdirSync(join(folder, 'service/dist'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "version": "1.0.0" }');
      writeFileSync(join(folder, 'service/package.json'), '{ "version": "1.2.3", "type": "module" }');
      writeFileSync(join(folder, 'service/dist/main.js'), '');
      expect(versionOfProgram(join(folder, 'service/dist/main.js'))).toBe('1.2.3');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
