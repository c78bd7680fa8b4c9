import { readFile } from 'node:fs/promises';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { decodeUnicode, encodingOfByteOrderMark, guessUnicode } from '@kiln/file-types/unicode-encoding';
import type { Engine, EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { encryptedFile } from '@kiln/pdf/extraction-error';
import { mailOutput } from './mail-markdown.js';
import { withKnownCharset } from './unstated-charset.js';
import { mailbox, type MailAttachment, type MailMessage } from './mail-message.js';

const nestingMax = 64;
const headersBytesMax = 2 * 1024 * 1024;

/** A message in the form in which it is sent (RFC 5322, MIME). Messages within it are read like other attachments. */
export const extractEml: Engine = async (input, signal) => {
  const email = await parse(input);
  if (!email.headers.some(({ key, value }) => key !== '' && value !== '')) throw corruptFile('eml', input.filename);
  if (isEncrypted(email)) throw encryptedFile(input.filename);
  return mailOutput(messageOf(email), input, signal);
};

/** S/MIME (RFC 8551, 3.2) and PGP (RFC 3156, 4). */
function isEncrypted({ headers }: Email): boolean {
  const type = (headers.find(({ key }) => key === 'content-type')?.value ?? '').slice(0, 1000).trim().toLowerCase();
  return type.startsWith('multipart/encrypted') || /^application\/(?:x-)?pkcs7-mime;.*enveloped-data/s.test(type);
}

async function parse(input: EngineInput): Promise<Email> {
  const bytes = await readFile(input.path);
  try {
    return await PostalMime.parse(withKnownCharset(asSent(bytes)), {
      forceRfc822Attachments: true,
      maxNestingDepth: nestingMax,
      maxHeadersSize: headersBytesMax,
    });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('Maximum ')) throw error;
    throw new ExtractionError(
      'file_too_large',
      `"${input.filename}" is nested too deeply, or has headers of more than 2 MiB. Save its attachments, and upload them.`,
      { cause: error },
    );
  }
}

/** Some programs save messages as Unicode. A sent message is in ASCII or in the character sets of its parts. */
function asSent(bytes: Buffer): Buffer {
  const encoding = encodingOfByteOrderMark(bytes) ?? guessUnicode(bytes);
  if (encoding === null) return bytes;
  return encoding === 'utf-8' ? bytes.subarray(3) : Buffer.from(decodeUnicode(bytes, encoding));
}

function messageOf(email: Email): MailMessage {
  const date = email.headers.find(({ key }) => key === 'date')?.value ?? null;
  return {
    subject: email.subject ?? null,
    from: email.from === undefined ? null : shown(email.from),
    to: (email.to ?? []).map(shown),
    cc: (email.cc ?? []).map(shown),
    bcc: (email.bcc ?? []).map(shown),
    date,
    sentAt: isoDate(date),
    messageId: email.messageId ?? null,
    inReplyTo: email.inReplyTo ?? null,
    text: email.text ?? null,
    html: email.html ?? null,
    rtf: null,
    attachments: email.attachments.flatMap(attachmentOf),
  };
}

function isoDate(date: string | null): string | null {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function shown({ name, address, group }: Address): string {
  return group === undefined ? mailbox(name, address) : `${name}: ${group.map(shown).join(', ')}`;
}

/** Pictures that the HTML shows belong to the message. They are no attachments. */
function attachmentOf(attachment: Attachment, index: number): MailAttachment[] {
  const { filename, mimeType, related, content } = attachment;
  if (related === true && mimeType.startsWith('image/')) return [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  const isMessage = mimeType === 'message/rfc822';
  const name = filename?.trim() ?? '';
  return [
    {
      filename: name === '' ? `${isMessage ? 'message' : 'file'} ${index + 1}` : name,
      contentType: mimeType,
      content: bytes,
    },
  ];
}
