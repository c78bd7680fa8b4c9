import { supportedMimeTypes } from 'file-type';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTextual } from '../content-type.js';
import { sniffContentType } from './sniff-content-type.js';
import { writtenAsText } from './written-formats.js';

/** Each format that is written as text, as far as the library tells it by magic bytes. */
const samples: Readonly<Record<string, string>> = {
  'application/eps': '%!PS-Adobe-3.0 EPSF-3.0\n',
  'application/pgp-encrypted': '-----BEGIN PGP MESSAGE-----\n\nhQEM\n',
  'application/postscript': '%!PS-Adobe-3.0\n',
  'application/rtf': '{\\rtf1\\ansi words}',
  'application/xml': '<?xml version="1.0"?><a/>',
  'text/calendar': 'BEGIN:VCALENDAR\r\n',
  'text/vcard': 'BEGIN:VCARD\r\n',
  'text/vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nwords\n',
};

describe('a format that is written as text', () => {
  it('is one of those that the library knows', () => {
    const known = [...supportedMimeTypes].filter((type) => isTextual(type) || writtenAsText.has(type));
    assert.deepEqual(known.toSorted(), Object.keys(samples));
  });

  for (const [type, text] of Object.entries(samples)) {
    it(`is told from text: ${type}`, async () => {
      for (const claimed of [null, 'text/plain', 'image/png']) {
        const typeOf = (content: string) =>
          sniffContentType({ head: Buffer.from(content), filename: 'a.txt', claimed });
        assert.equal(await typeOf(text), type);
        assert.equal(await typeOf(`\ufeff${text}`), type);
      }
    });
  }

  it('is looked for in what is claimed to be a binary: the claim decides what two letters mean', async () => {
    const head = Buffer.from('BM is how bitmaps begin, and this text.');
    const typeOf = (claimed: string | null) => sniffContentType({ head, filename: 'a', claimed });
    assert.equal(await typeOf('image/bmp'), 'image/bmp');
    assert.equal(await typeOf('text/markdown'), 'text/markdown');
    assert.equal(await typeOf(null), 'text/plain');
  });

  it('PDF is told from text without its version, too', async () => {
    assert.equal(
      await sniffContentType({ head: Buffer.from('%PDF words'), filename: 'a.txt', claimed: null }),
      'application/pdf',
    );
  });
});
