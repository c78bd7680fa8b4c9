// What the entries contain, as a bundler sees them.
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const GZIP_BYTES_MAX = 15 * 1_024;

async function bundle(entry: string, platform: 'browser' | 'node' = 'browser') {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { bytes: gzipSync(outputFiles[0]?.contents ?? '').length, inputs: Object.keys(metafile.inputs) };
}

it('the client has at most 15 kB, and loads no library', async () => {
  const { bytes, inputs } = await bundle('./index.js');
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  expect(inputs.filter((path) => path.includes('node_modules'))).toStrictEqual([]);
});

it.each(['./webhooks.js', './testing.js', './bucket-access.js'])('%s runs without modules of Node', async (entry) => {
  const { bytes } = await bundle(entry);
  expect(bytes).toBeGreaterThan(1_000);
});

it('./node/index.js contains no second client', async () => {
  const { inputs } = await bundle('./node/index.js', 'node');
  expect(inputs.filter((path) => /kiln\.js|transport\.js/.test(path))).toStrictEqual([]);
});
