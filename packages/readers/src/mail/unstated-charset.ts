/**
 * Messages with 8-bit text whose character set they do not state. MIME has no such messages, but old programs and scripts send them, and
 * programs that read mail guess. The parser takes their text for UTF-8, and loses all characters of other sets.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { declaredCharset } from '../charset/declared-charset.js';
import { decodeText } from '../charset/decode-text.js';

/** Values of `charset` that say nothing about 8-bit text (RFC 1428). */
const unstated = /^(?:(?:us-)?ascii|unknown(?:-8bit)?|x-unknown|8bit|default)$/i;
const charsetParameter = /;\s*charset\s*=\s*"?([^\s";]*)"?/i;
/** A longer message is not decoded as one text. */
const messageBytesMax = 64 * 1024 * 1024;

/** The message in UTF-8, or unchanged if it states its character sets. */
export function withKnownCharset(message: Buffer): Buffer {
  if (message.length > messageBytesMax || isAscii(message)) return message;
  const header = message.subarray(0, endOfHeader(message));
  if (isUnstated(header.toString('latin1')))
    return Buffer.from(withUtf8(decodeText(message, declaredCharset(message)).text));
  return isUtf8(header)
    ? message
    : Buffer.concat([Buffer.from(decodeText(header).text), message.subarray(header.length)]);
}

function endOfHeader(message: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => message.indexOf(mark)).filter((at) => at !== -1);
  return ends.length === 0 ? message.length : Math.min(...ends);
}

/** Whether the text is one part, neither encoded nor in a stated character set. */
function isUnstated(header: string): boolean {
  const unfolded = header.replace(/\r?\n[ \t]+/g, ' ');
  if (/^content-transfer-encoding:[ \t]*(?:quoted-printable|base64)/im.test(unfolded)) return false;
  const type = /^content-type:(.*)$/im.exec(unfolded)?.[1];
  if (type === undefined) return true;
  const stated = charsetParameter.exec(type)?.[1] ?? '';
  return /^\s*text\//i.test(type) && (stated === '' || unstated.test(stated));
}

/** The text of a message whose header says that it is UTF-8, as it is once it is encoded. */
function withUtf8(text: string): string {
  const end = text.indexOf('\n\n');
  const header = end === -1 ? text : text.slice(0, end);
  const stated = header.replace(/^content-type:.*(?:\n[ \t].*)*/im, (type) =>
    type.replace(charsetParameter, '; charset=utf-8'),
  );
  return stated + text.slice(header.length);
}
