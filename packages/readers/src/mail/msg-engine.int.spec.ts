import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from '../fixtures/make-docx.js';
import { makeMsg, type MsgFixture, msgType } from '../fixtures/make-msg.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'a.msg', msgType, content);
const recipient = (name: string, address: string, type: bigint): MsgFixture => ({
  texts: { '3001': name, '39FE': address },
  numbers: { '0C15': type },
});
/** 2022-12-21T16:28:53Z as a FILETIME. */
const sentAt = (BigInt(Date.UTC(2022, 11, 21, 16, 28, 53)) + 11_644_473_600_000n) * 10_000n;

describe('an Outlook message', () => {
  it('has its subject, sender, recipients, time and text', async () => {
    const { markdown, metadata } = await read(
      makeMsg({
        texts: { '0037': 'Kilns ☸', '0C1A': 'Ada', '5D01': 'ada@a.example', '1000': 'It is hot.\r\n> Is it?' },
        numbers: { '0039': sentAt },
        recipients: [recipient('Bob', 'bob@b.example', 1n), recipient('Eve', 'eve@b.example', 2n)],
      }),
    );
    expect(markdown).toBe(
      '**From:** Ada \\<ada@a.example>\n**To:** Bob \\<bob@b.example>\n**Cc:** Eve \\<eve@b.example>\n**Subject:** Kilns ☸\n**Date:** 2022-12-21T16:28:53.000Z\n\nIt is hot.\n> Is it?\n',
    );
    expect([metadata.title, metadata.author, metadata['sent_at']]).toStrictEqual([
      'Kilns ☸',
      'Ada <ada@a.example>',
      '2022-12-21T16:28:53.000Z',
    ]);
  });

  it('has the text of its HTML, in the character set of its code page', async () => {
    const html = Buffer.from('<p>Gr\xfc\xdfe</p>', 'latin1');
    const { markdown } = await read(
      makeMsg({ texts: { '0037': 'x', '1000': 'plain' }, binaries: { '1013': html }, numbers: { '3FDE': 1252n } }),
    );
    expect(markdown).toBe('**Subject:** x\n\nGrüße\n');
  });

  it('has the text of its attachments, also of messages', async () => {
    const { markdown, metadata } = await read(
      makeMsg({
        texts: { '0037': 'Outer', '1000': 'See attachments.' },
        attachments: [
          { texts: { '3707': 'report.docx' }, binaries: { '3701': makeDocx(paragraph('Report', 'Heading1')) } },
          { texts: { '3001': 'Inner' }, message: { texts: { '0037': 'Inner', '1000': 'inner words' } } },
        ],
      }),
    );
    expect(markdown).toMatch(
      /See attachments\.\n\n# Attachment: report\.docx\n\n# Report\n\n# Attachment: Inner\n\n\*\*Subject:\*\* Inner\n\ninner words\n$/,
    );
    expect(markdown).toContain(`report.docx (${docxType}, `);
    expect(metadata['attachments']).toStrictEqual(['report.docx', 'Inner']);
  });

  it('that is damaged, or another compound file, is corrupt', async () => {
    const whole = makeMsg({ texts: { '0037': 'x', '1000': 'y'.repeat(10_000) } });
    for (const content of [whole.subarray(0, 600), makeMsg({ texts: {} }), Buffer.from('words')])
      await expect(read(content)).rejects.toMatchObject({ code: 'corrupt_file', retryable: false });
  });

  it('that is encrypted is reported as encrypted', async () => {
    await expect(read(makeMsg({ texts: { '001A': 'IPM.Note.SMIME', '0037': 'x' } }))).rejects.toMatchObject({
      code: 'encrypted_file',
    });
  });

  it('is detected by its content and by its name', async () => {
    const head = makeMsg({ texts: { '0037': 'x' } }).subarray(0, 32_768);
    for (const [filename, claimed] of [
      ['a', null],
      ['a.msg', 'application/octet-stream'],
    ] as const)
      expect(await sniffContentType({ head, filename, claimed })).toBe(msgType);
  });
});
