// Real: the engine. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emlType } from '../fixtures/make-eml.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

/** The content after the header of the message, and its subject. */
async function read(headers: readonly string[], body: string, encoding: 'latin1' | 'utf8'): Promise<[string, unknown]> {
  const lines = ['From: a@a.example', 'Date: Wed, 21 Dec 2022 10:28:53 -0600', ...headers, '', body];
  const content = Buffer.from(lines.join('\r\n'), encoding);
  const { markdown, metadata } = await scratch.run(extractor, 'a.eml', emlType, content);
  return [markdown.replace(/^(?:\*\*.*\n)+\n/, '').trim(), metadata['subject']];
}

const text = 'Grüße an die Töpferei: die Öfen müssen für zwei Tage kühlen.';

describe('8-bit text of a message', () => {
  it.each(['latin1', 'utf8'] as const)('in %s is read although no character set is stated', async (encoding) => {
    const plain = read(['Subject: Öfen'], text, encoding);
    expect(await plain).toStrictEqual([text, 'Öfen']);
    const typed = read(['Subject: Öfen', 'Content-Type: text/plain'], text, encoding);
    expect(await typed).toStrictEqual([text, 'Öfen']);
  });

  it.each(['latin1', 'utf8'] as const)(
    'in %s is read although it is stated to be ASCII or unknown',
    async (encoding) => {
      for (const charset of ['us-ascii', '"unknown-8bit"']) {
        const headers = ['Subject: Kilns', `Content-Type: text/plain;\r\n\tcharset=${charset}; format=flowed`];
        expect(await read(headers, text, encoding)).toStrictEqual([text, 'Kilns']);
      }
    },
  );

  it('in a page is read as the page declares', async () => {
    const page = `<html><head><meta charset="iso-8859-5"></head><body><p>\u00bf\u00d5\u00e7\u00d8</p></body></html>`;
    expect(await read(['Content-Type: text/html'], page, 'latin1')).toMatchObject(['Печи']);
  });

  it('of a subject is read where the character set of the text is stated', async () => {
    const headers = ['Subject: Öfen', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'];
    const encoded = Buffer.from(text).toString('base64');
    expect(await read(headers, encoded, 'latin1')).toStrictEqual([text, 'Öfen']);
  });

  it('keeps its character set where it is stated', async () => {
    const headers = ['Subject: Kilns', 'Content-Type: text/plain; charset=iso-8859-5'];
    expect(await read(headers, '\u00bf\u00d5\u00e7\u00d8', 'latin1')).toStrictEqual(['Печи', 'Kilns']);
  });
});
