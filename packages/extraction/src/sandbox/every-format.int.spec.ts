import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { mutate, randomOf } from '@kiln/readers/fixtures/mutate';
import { oneOfEach } from '@kiln/readers/fixtures/one-of-each';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { defaultLimits } from '@kiln/readers/limits';
import { providerFor } from '../routing.js';
import { createSandbox } from './sandbox.js';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';
import { createLocalExtractor } from '@kiln/readers/local-extractor';

const sandbox = createSandbox({ processes: 1 });
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(async () => {
  await sandbox.close();
  await scratch.remove();
});

describe.each(oneOfEach)('$filename', ({ filename, contentType, content }) => {
  it('is detected, whatever it is said to be, and routed', async () => {
    const head = content.subarray(0, 32_768);
    for (const claimed of [null, 'application/octet-stream', contentType])
      expect(await sniffContentType({ head, filename, claimed })).toBe(contentType);
    expect(providerFor(contentType)).not.toBeNull();
  });

  it('is read in the sandbox', async () => {
    const { markdown, metadata } = await scratch.run(sandbox, filename, contentType, content);
    expect(markdown).toMatch(/clay/);
    expect(metadata.title).not.toBe('');
  });

  // `npm run fuzz:extraction` reads thousands.
  it('damaged is read, or fails with a reason that its owner understands', async () => {
    const extractor = createLocalExtractor(defaultLimits);
    for (let seed = 0; seed < 40; seed++) {
      const failure = await scratch.run(extractor, filename, contentType, mutate(content, randomOf(seed))).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) continue;
      expect(failure).toBeInstanceOf(ExtractionError);
      expect((failure as ExtractionError).code).toMatch(/^(?:corrupt_file|encrypted_file|file_too_large)$/);
    }
  });
});
