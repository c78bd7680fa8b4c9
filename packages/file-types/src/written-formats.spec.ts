import { describe, expect, it } from '@jest/globals';
import { supportedMimeTypes } from 'file-type';
import { isTextual } from './content-type.js';
import { sniffContentType } from './sniff-content-type.js';
import { writtenAsText } from './written-formats.js';

/** Each text-based format that the library detects by magic bytes. */
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
  it('is a format that the library supports', () => {
    const known = [...supportedMimeTypes].filter((type) => isTextual(type) || writtenAsText.has(type));
    expect(known.toSorted()).toStrictEqual(Object.keys(samples));
  });

  for (const [type, text] of Object.entries(samples)) {
    it(`is distinguished from text: ${type}`, async () => {
      for (const claimed of [null, 'text/plain', 'image/png']) {
        const typeOf = (content: string) =>
          sniffContentType({ head: Buffer.from(content), filename: 'a.txt', claimed });
        expect(await typeOf(text)).toBe(type);
        expect(await typeOf(`\ufeff${text}`)).toBe(type);
      }
    });
  }

  it('is looked for in what is claimed to be a binary: the claim decides what two letters mean', async () => {
    const head = Buffer.from('BM is how bitmaps begin, and this text.');
    const typeOf = (claimed: string | null) => sniffContentType({ head, filename: 'a', claimed });
    expect(await typeOf('image/bmp')).toBe('image/bmp');
    expect(await typeOf('text/markdown')).toBe('text/markdown');
    expect(await typeOf(null)).toBe('text/plain');
  });

  it('PDF is distinguished from text, even without its version', async () => {
    expect(await sniffContentType({ head: Buffer.from('%PDF words'), filename: 'a.txt', claimed: null })).toBe(
      'application/pdf',
    );
  });
});
