import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph, table } from '../fixtures/make-docx.js';
import { emlType, makeEml, makePlainEml } from '../fixtures/make-eml.js';
import { makeEncryptedPdf } from '@kiln/pdf/fixtures/make-pdf';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'a.eml', emlType, content);
/** The content after the header of the message. */
const bodyOf = async (content: Buffer): Promise<string> =>
  (await read(content)).markdown.replace(/^(?:\*\*.*\n)+\n/, '');

describe('a message', () => {
  it('has its header fields, and its text with the replies that it quotes', async () => {
    const text = 'Hi all,\r\n\r\n> It is hot.\r\n> > Is it?\r\n\r\nYes.\r\nBest\r\n-- \r\nAda';
    const { markdown, metadata, pageCount, pages } = await read(makePlainEml(text, '=?utf-8?B?S2lsbnMg4pi4?='));
    expect(markdown).toBe(
      '**From:** Ada Lovelace \\<ada@a.example>\n**To:** b@b.example\n**Subject:** Kilns ☸\n**Date:** Wed, 21 Dec 2022 10:28:53 -0600\n\n' +
        'Hi all,\n\n> It is hot.\n> > Is it?\n\nYes.\nBest\n\\--\nAda\n',
    );
    expect([metadata.title, metadata.author, metadata['sent_at'], metadata['to'], pageCount, pages]).toStrictEqual([
      'Kilns ☸',
      'Ada Lovelace <ada@a.example>',
      '2022-12-21T16:28:53.000Z',
      ['b@b.example'],
      null,
      null,
    ]);
  });

  it('has the text of its HTML, with tables, quotes and links, where it has both', async () => {
    const html =
      '<p>See <a href="https://a.example/">this</a>:</p><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table><blockquote>earlier</blockquote><script>x</script>';
    const alternative =
      'From: a@a.example\r\nSubject: Kilns\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n--b\r\nContent-Type: text/html\r\n\r\n' +
      `${html}\r\n--b--\r\n`;
    expect(await bodyOf(Buffer.from(alternative))).toBe(
      'See [this](https://a.example/):\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n> earlier\n',
    );
  });

  it('is read in the character set of each part', async () => {
    const part = { type: 'text/plain; charset=shift_jis', content: Buffer.from('936392862c938c8b9e', 'hex') };
    const windows = { type: 'text/plain; charset=windows-1252', content: Buffer.from('\x935 \x80\x94', 'latin1') };
    expect(await bodyOf(makeEml([part, windows]))).toBe('田中,東京\n“5 €”\n');
  });

  it('is read when it was saved as Unicode, with and without a byte order mark', async () => {
    const message = makePlainEml('Kilns of brick, größer', 'Größe').toString();
    const bigEndian = Buffer.from(message, 'utf16le').swap16();
    for (const bytes of [Buffer.from(`\ufeff${message}`), Buffer.from(`\ufeff${message}`, 'utf16le'), bigEndian])
      expect(await bodyOf(bytes)).toBe('Kilns of brick, größer\n');
  });

  it('has the text of its attachments, also of messages, and names those that cannot be read', async () => {
    const report = makeDocx(
      paragraph('Report', 'Heading1') +
        table([
          ['a', 'b'],
          ['1', '2'],
        ]),
    );
    const { markdown, metadata } = await read(
      makeEml([
        { type: 'text/plain', content: 'See attachments.' },
        { type: docxType, filename: 'report.docx', content: report },
        { type: 'application/pdf', filename: 'locked.pdf', content: makeEncryptedPdf() },
        { type: 'application/octet-stream', filename: 'x.bin', content: Buffer.of(0, 1, 2, 3) },
        { type: emlType, content: makePlainEml('inner words', 'Inner') },
        { type: docxType, filename: 'broken.docx', content: report.subarray(0, 200) },
      ]),
    );
    expect(markdown).toContain(
      'See attachments.\n\n# Attachment: report.docx\n\n# Report\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n# Attachment: message 4\n\n**From:**',
    );
    expect(markdown.trimEnd()).toMatch(/inner words$/);
    expect(markdown).toMatch(/locked\.pdf \(application\/pdf, \d+ (?:bytes|KiB), not read: protected by a password\)/);
    expect(markdown).toMatch(/x\.bin \(application\/octet-stream, 4 bytes\)/);
    expect(markdown).toMatch(/broken\.docx \([^)]*not read: damaged\)/);
    expect([metadata['attachment_count'], metadata['attachments']]).toStrictEqual([
      5,
      ['report.docx', 'locked.pdf', 'x.bin', 'message 4', 'broken.docx'],
    ]);
  });

  it('in a message in a message is read, and a deeper one is only named', async () => {
    let content = makePlainEml('innermost', 'level 4');
    for (const level of [3, 2, 1, 0]) content = makeEml([{ type: emlType, content }], `level ${level}`);
    const { markdown } = await read(content);
    expect(markdown).toMatch(/^\*\*Subject:\*\* level 3$/m);
    expect(markdown).not.toMatch(/innermost/);
    expect(markdown).toMatch(/not read: a file in too many files/);
  });

  it('leaves out the pictures that its HTML shows', async () => {
    const related =
      'From: a@a.example\r\nSubject: Kilns\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hi <img src="cid:x@y" alt="logo"></p>\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <x@y>\r\n\r\nPNG\r\n--b--\r\n';
    const { markdown, metadata } = await read(Buffer.from(related));
    expect(markdown).toMatch(/Hi logo\n$/);
    expect(metadata['attachment_count']).toBe(0);
  });

  it.each(['multipart/encrypted; boundary=b', 'application/pkcs7-mime; smime-type=enveloped-data'])(
    'that is encrypted is reported as encrypted: %s',
    async (type) => {
      const content = Buffer.from(`From: a@a.example\r\nContent-Type: ${type}\r\n\r\nx`);
      await expect(read(content)).rejects.toMatchObject({ code: 'encrypted_file' });
    },
  );

  it('that is empty, or no message, is corrupt', async () => {
    for (const content of ['', 'just words'])
      await expect(read(Buffer.from(content))).rejects.toMatchObject({ code: 'corrupt_file' });
  });
});
