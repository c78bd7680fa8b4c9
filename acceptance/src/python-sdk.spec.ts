/** @slow */
// The Python SDK as a wheel, with its own tests.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from './support/python.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const SOURCES = fileURLToPath(new URL('../../sdk/python/', import.meta.url));
const { isUsable, folder, run, remove } = await findPython(SOURCES);

(isUsable ? describe : describe.skip)('the Python SDK, where Python from 3.9 and a package index are at hand,', () => {
  let system: SystemUnderTest;
  /** Reading the types takes as long as the tests, and runs beside them. */
  let typesRead: Promise<string>;
  beforeAll(async () => {
    [system] = await Promise.all([systemUnderTest(), installWheel().then(() => null)]);
    typesRead = run(['-m', 'mypy', '--cache-dir', join(folder, 'mypy')]);
    typesRead.catch(() => {}); // The test of the types awaits it.
  });
  afterAll(async () => {
    await system.stop();
    await remove();
  });

  async function installWheel(): Promise<void> {
    const wheels = join(folder, 'wheels');
    await run(['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, '.']);
    const [wheel = ''] = await readdir(wheels);
    // Python compiles what it imports, which is little of it.
    await run(['-m', 'pip', 'install', '--quiet', '--no-compile', `${join(wheels, wheel)}[test,check,langchain]`]);
  }

  it('passes its tests as an installed wheel, alone and against a system, and runs the programs of its guide', async () => {
    const { baseUrl, apiKey } = await system.newClient();
    const environment = { KILN_URL: baseUrl, KILN_API_KEY: apiKey };
    const output = await run(['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider'], environment);
    expect(output).toMatch(/\d{3} passed in/);
    expect(output).not.toMatch(/skipped|failed/);
  });

  it('has types that mypy accepts in its strict mode, and the form that ruff asks for', async () => {
    await run(['-m', 'ruff', 'check', '--no-cache']);
    await run(['-m', 'ruff', 'format', '--check', '--no-cache']);
    expect(await typesRead).toMatch(/^Success/);
  });
});
