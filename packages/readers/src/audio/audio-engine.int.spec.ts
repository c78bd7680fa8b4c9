import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeWav } from '../fixtures/make-media.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'call.wav', 'audio/wav', content);

describe('a recording', () => {
  it('has its length and encoding, and says that its speech was not transcribed', async () => {
    const { markdown, metadata, pageCount } = await read(makeWav(61));
    expect(markdown).toBe(
      'call.wav: PCM audio, 0:01:01.\n\n*The speech in this recording was not transcribed: that needs a speech engine.*\n',
    );
    expect(metadata).toMatchObject({
      duration_seconds: 61,
      codec: 'PCM',
      sample_rate_hertz: 8000,
      channels: 1,
      title: 'call.wav',
      language: null,
      word_count: 0,
    });
    expect(pageCount).toBeNull();
  });

  it('has its tags', async () => {
    const { markdown, metadata } = await read(makeWav(1, { INAM: 'Kilns <i>live</i>', IART: 'Ada' }));
    expect(markdown).toContain('- Title: Kilns \\<i>live\\</i>\n- Artist: Ada\n');
    expect([metadata.title, metadata.author]).toStrictEqual(['Kilns <i>live</i>', 'Ada']);
  });

  it('that is damaged, of another type or empty is corrupt', async () => {
    for (const content of [Buffer.alloc(0), makeWav(1).subarray(0, 20), Buffer.alloc(5000, 'words')])
      await expect(read(content)).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
  });
});
