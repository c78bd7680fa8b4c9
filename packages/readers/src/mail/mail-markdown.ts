/** Writes a message as markdown: its header fields, its text, and the text of its attachments. */
import { withWindowsCharacters } from '../charset/decode-text.js';
import { cleanText } from '@kiln/pdf/clean-text';
import { escapePlainText } from '../text/escape-plain-text.js';
import type { EngineInput, EngineOutput } from '../engine.js';
import { element, type HtmlContent } from '../html/build-html.js';
import { documentOf, parseHtml } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { readRtf } from '../rtf/rtf-engine.js';
import { type AttachedFile, readAttachedFiles } from './attached-files.js';
import type { MailMessage } from './mail-message.js';

/** Metadata names at most this many addresses and files, each with at most this many characters. */
const namedMax = 100;
const nameCharactersMax = 320;

export async function mailOutput(message: MailMessage, input: EngineInput, signal: AbortSignal): Promise<EngineOutput> {
  const files = await readAttachedFiles(message.attachments, input, signal, mailOutput);
  const sections = [
    render(headerBlocks(message, files), input),
    bodyMarkdown(message, input),
    ...files.flatMap(({ filename, markdown }) =>
      markdown === null || markdown.trim() === ''
        ? []
        : [`${render([element('h1', [`Attachment: ${filename}`])], input)}\n\n${markdown.trim()}`],
    ),
  ].filter((section) => section !== '');
  return {
    markdown: sections.length === 0 ? '' : `${sections.join('\n\n')}\n`,
    pages: null,
    pageCount: null,
    title: oneLine(message.subject),
    author: oneLine(message.from),
    language: null,
    details: detailsOf(message, files),
  };
}

function headerBlocks(message: MailMessage, files: readonly AttachedFile[]): HtmlElement[] {
  const lines = [
    ['From', message.from ?? ''],
    ['To', message.to.join(', ')],
    ['Cc', message.cc.join(', ')],
    ['Bcc', message.bcc.join(', ')],
    ['Subject', oneLine(message.subject) ?? ''],
    ['Date', message.date ?? ''],
    ['Attachments', files.map(({ filename, description }) => `${filename} (${description})`).join(', ')],
  ].filter(([, value]) => value?.trim() !== '');
  const content = lines.flatMap(([name = '', value = ''], index): HtmlContent[] => [
    ...(index === 0 ? [] : [element('br')]),
    element('strong', [`${name}:`]),
    ` ${value}`,
  ]);
  return content.length === 0 ? [] : [element('p', content)];
}

/** The HTML of a message has tables, links and lists, which its text lacks. Its RTF has them too, unless it was made from the text. */
function bodyMarkdown({ html, rtf, text }: MailMessage, input: EngineInput): string {
  const { filename, limits } = input;
  if (html !== null) {
    const markdown = toMarkdown(parseHtml(withWindowsCharacters(html), filename), filename, limits.outputBytesMax);
    if (markdown.trim() !== '') return markdown.trim();
  }
  if (rtf !== null && (text === null || !/\\fromtext\b/.test(rtf.slice(0, 1000)))) {
    const markdown = render(readRtf(rtf, filename).blocks, input).trim();
    if (markdown !== '') return markdown;
  }
  return escapePlainText(withoutSignatureMark(cleanText(withWindowsCharacters(text ?? '')))).trim();
}

/** The line before a signature (RFC 3676, 4.3) would make a heading of the line above it. */
function withoutSignatureMark(text: string): string {
  return text.replace(/^-- ?$/gm, '\\--');
}

function render(blocks: readonly HtmlElement[], { filename, limits }: EngineInput): string {
  return toMarkdown(documentOf(blocks, filename), filename, limits.outputBytesMax).trimEnd();
}

function detailsOf(message: MailMessage, files: readonly AttachedFile[]): Record<string, unknown> {
  const named = (names: readonly string[]): string[] =>
    names.slice(0, namedMax).map((name) => (oneLine(name) ?? '').slice(0, nameCharactersMax).toWellFormed());
  return {
    ...(message.subject === null ? {} : { subject: oneLine(message.subject) }),
    ...(message.sentAt === null ? {} : { sent_at: message.sentAt }),
    ...(message.messageId === null ? {} : { message_id: message.messageId.slice(0, nameCharactersMax) }),
    ...(message.from === null ? {} : { from: named([message.from])[0] }),
    to: named(message.to),
    ...(message.cc.length === 0 ? {} : { cc: named(message.cc) }),
    ...(message.bcc.length === 0 ? {} : { bcc: named(message.bcc) }),
    ...(message.inReplyTo === null ? {} : { in_reply_to: message.inReplyTo.slice(0, nameCharactersMax) }),
    attachment_count: files.length,
    ...(files.length === 0 ? {} : { attachments: named(files.map(({ filename }) => filename)) }),
  };
}

function oneLine(text: string | null): string | null {
  const joined = cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return joined === '' ? null : joined.slice(0, 1000).toWellFormed();
}
