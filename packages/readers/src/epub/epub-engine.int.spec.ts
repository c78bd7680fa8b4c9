import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { epubType, makeEpub } from '../fixtures/make-epub.js';
import { makeZip } from '../fixtures/make-zip.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'a.epub', epubType, content);

describe('a book', () => {
  it('has its chapters in their order, without the table of contents, and its properties', async () => {
    const { markdown, metadata, pageCount, pages } = await read(
      makeEpub(['<h1>One</h1><p>a<span/>b</p>', '<h1>Two</h1><ul><li>x<ul><li>y</li></ul></li></ul>']),
    );
    expect(markdown).toBe('# One\n\nab\n\n# Two\n\n- x\n    - y\n');
    expect([metadata.title, metadata.author, metadata.language, metadata['publisher'], pageCount, pages]).toStrictEqual(
      ['Kilns & clay', 'Ada, Grace', 'de', 'Press', null, null],
    );
  });

  it('keeps links that lead out of it, and the descriptions of its pictures', async () => {
    const chapter =
      '<p><a href="c1.xhtml#x">inside</a> <a href="https://a.example/">outside</a> <img src="a.png" alt="a kiln"/></p>';
    expect((await read(makeEpub([chapter]))).markdown).toBe('inside [outside](https://a.example/) a kiln\n');
  });

  it('with a key is reported as encrypted, and one whose fonts are only obscured is read', async () => {
    const encryption = (algorithm: string): Record<string, string> => ({
      'META-INF/encryption.xml': `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`,
    });
    await expect(
      read(makeEpub(['<p>x</p>'], encryption('http://www.w3.org/2001/04/xmlenc#aes256-cbc'))),
    ).rejects.toMatchObject({ code: 'encrypted_file' });
    const { markdown } = await read(makeEpub(['<p>x</p>'], encryption('http://www.idpf.org/2008/embedding')));
    expect(markdown).toBe('x\n');
  });

  it('that is damaged or another zip is corrupt', async () => {
    for (const content of [
      makeEpub([]).subarray(0, 300),
      makeZip({ mimetype: Buffer.from(epubType) }),
      Buffer.alloc(0),
    ])
      await expect(read(content)).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
  });
});
