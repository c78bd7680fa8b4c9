// Long fuzzing, outside the gate: damaged documents of each kind, with other damages for each seed. The gate reads some of each kind in
// every-format.int.spec.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import { rm } from 'node:fs/promises';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { damagedKinds } from '@kiln/readers/fixtures/damaged-kinds';
import { mutate, randomOf } from '@kiln/readers/fixtures/mutate';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import type { Sandbox } from './sandbox-options.js';
import { createSandbox } from './sandbox.js';

const documentsOfEachKind = 500;
/** Of a document of some kilobytes. */
const memoryBytesMax = 512 * 1024 ** 2;
const known = /^(?:corrupt_file|encrypted_file|file_too_large)$/;

let scratch: Scratch;
let sandbox: Sandbox;

beforeAll(async () => {
  scratch = await Scratch.make();
  sandbox = createSandbox({ processes: 1, isolation: 'preferred', memoryBytesMax });
});
afterAll(async () => {
  await sandbox.close();
  await scratch.remove();
});

describe.each(await damagedKinds())('$filename', ({ filename, contentType, content }) => {
  it(
    'damaged is read in its memory, or fails with a reason that its owner understands',
    async () => {
      const faults: string[] = [];
      for (let count = 0; count < documentsOfEachKind; count++) {
        const seed = testSeed() + count;
        const input = await scratch.input(filename, contentType, mutate(content, randomOf(seed)));
        await sandbox.extract(input, new AbortController().signal).catch((error: unknown) => {
          const isKnown =
            error instanceof ExtractionError && known.test(error.code) && !/more memory/.test(error.message);
          if (!isKnown) faults.push(`seed ${seed}: ${String(error)}`);
        });
        await rm(input.outputDirectory, { recursive: true });
      }
      // Each fault can be made again with KILN_TEST_SEED=<seed>.
      expect(faults).toStrictEqual([]);
    },
    // The global limit is for the gate.
    3_600_000,
  );
});
