import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExtractionError } from '../extraction-error.js';
import { oneOfEach } from '../fixtures/one-of-each.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { providerFor } from '../routing.js';
import { createSandbox } from '../sandbox/sandbox.js';
import { sniffContentType } from '../sniff/sniff-content-type.js';
import { createLocalExtractor } from './local-extractor.js';

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

  // A damaged file must end in a result or in a reason that its owner understands.
  it('with damaged bytes is read, or fails with a reason', async () => {
    const extractor = createLocalExtractor(defaultLimits);
    const random = numbers(content.length);
    for (let round = 0; round < 40; round++) {
      const damaged = Buffer.from(content);
      const changes = 1 + (random() % 8);
      for (let change = 0; change < changes; change++) damaged[random() % damaged.length] = random() % 256;
      const cut = round % 4 === 0 ? damaged.subarray(0, random() % damaged.length) : damaged;
      const failure = await scratch.run(extractor, filename, contentType, cut).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) continue;
      expect(failure).toBeInstanceOf(ExtractionError);
      expect((failure as ExtractionError).code).toMatch(/^(?:corrupt_file|encrypted_file|file_too_large)$/);
    }
  });
});

/** The same numbers in every run (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}
