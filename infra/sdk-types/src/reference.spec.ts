import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const options = fileURLToPath(new URL('../../../packages/sdk/typedoc.json', import.meta.url));
const typedoc = join(dirname(createRequire(import.meta.url).resolve('typedoc/package.json')), 'bin/typedoc');

it('the reference of the SDK is written without a warning, by the compiler that TypeDoc has', () => {
  const run = () =>
    execFileSync(process.execPath, [typedoc, '--options', options, '--emit', 'none'], { encoding: 'utf8' });
  expect(run).not.toThrow();
});
