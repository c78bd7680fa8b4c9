/**
 * Detects the content type of a file from its first bytes. Magic bytes come first. Text is classified by its content,
 * then by its extension, then by the claim of the uploader. This file loads no engine.
 */
import { fileTypeFromBuffer } from 'file-type';
import { bareContentType, isTextual } from './content-type.js';
import { decodeUnicode, encodingOfByteOrderMark, guessUnicode } from './unicode-encoding.js';
import { typeOfExtension } from './file-extensions.js';
import { jsonType, notebookType } from './json-type.js';
import { isMailHeader } from './mail-header.js';
import { officeTypeOfZip } from './office-zip.js';
import { mayBeWrittenFormat, writtenAsText } from './written-formats.js';

/** Office files name their kind somewhere in their first kilobytes. 4,100 bytes are enough for all other formats. */
export const SNIFFED_BYTES = 32 * 1024;

export interface SniffInput {
  /** The beginning of the file: at least 4,100 bytes, or the whole file. More bytes help with Office files. */
  head: Buffer;
  filename: string;
  claimed: string | null;
}

const unknownType = 'application/octet-stream';
/** The beginning of the name of each property of an Outlook message ([MS-OXMSG] 2.1.3). */
const outlookStream = Buffer.from('__substg1.0_', 'utf16le');
/** @returns a bare, lower-case content type; `application/octet-stream` when nothing is known. */
export async function sniffContentType({ head, filename, claimed }: SniffInput): Promise<string> {
  const stated = bareContentType(claimed ?? '');
  const claim = isContentType(stated) && stated !== unknownType ? stated : null;
  const named = typeOfExtension(filename);
  if (head.length === 0) return claim ?? named ?? unknownType;
  // The mark of UTF-16 looks like the start of an MPEG frame.
  const magic = isMarkedUnicode(head) ? null : await magicType(head, claim);
  if (magic !== null && !isChance(magic, claim, head)) return refine(magic, claim ?? named, head);
  if (!looksLikeText(head)) return binaryType(claim, named);
  return textType(head, claim, named);
}

async function magicType(head: Buffer, claim: string | null): Promise<string | null> {
  if (isPdf(head)) return 'application/pdf';
  const isClaimedText = claim === null || isTextual(claim);
  if (isClaimedText && !mayBeWrittenFormat(head) && isPlain(head)) return null;
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return isTiff(head) ? 'image/tiff' : null;
  return bareContentType(found.mime);
}

/** The library reads the directory of a TIFF to recognize raw photographs. It is mostly at the end of the file. */
function isTiff(head: Buffer): boolean {
  return /^(?:II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4));
}

/**
 * A PDF may begin with other bytes: readers accept the header anywhere in the first kilobyte (ISO 32000-1, annex
 * H.3.4.1). In a text, the header must stand at the beginning of a line, because a text may mention it.
 */
function isPdf(head: Buffer): boolean {
  const beginning = head.subarray(0, 1024);
  if (!beginning.includes('%PDF-')) return false;
  return !isPlain(head) || /(?:^|[\r\n])(?:\xef\xbb\xbf)?%PDF-\d/.test(beginning.toString('latin1'));
}

/** Some binary formats begin with two or three letters, and so do words: `BMW` is not a bitmap. */
function isChance(magic: string, claim: string | null, head: Buffer): boolean {
  return (
    isPlain(head) && magic !== claim && magic !== 'application/pdf' && !isTextual(magic) && !writtenAsText.has(magic)
  );
}

/** Whether the bytes agree with their byte order mark, UTF-16 or UTF-32. The last character may be cut off. */
function isMarkedUnicode(head: Buffer): boolean {
  const encoding = encodingOfByteOrderMark(head);
  if (encoding === null || encoding === 'utf-8') return false;
  return !decodeUnicode(head.subarray(0, head.length & ~3), encoding)
    .slice(0, -1)
    .includes('\ufffd');
}

/** A container keeps its claim when the claim is a kind of that container. */
function refine(magic: string, claim: string | null, head: Buffer): string {
  if (magic === 'application/xml') return textType(head, claim, null);
  if (magic === 'application/zip') {
    const office = officeTypeOfZip(head);
    if (office !== null) return office;
    return claim !== null && /openxmlformats|opendocument|epub|java-archive|\+zip$/.test(claim) ? claim : magic;
  }
  return magic === 'application/x-cfb' ? compoundFileType(claim, head) : magic;
}

/** An Office file with a password is a compound file, too. It keeps its type, so that the failure names the password. */
function compoundFileType(claim: string | null, head: Buffer): string {
  if (head.includes(outlookStream)) return 'application/vnd.ms-outlook';
  return claim !== null && /ms-?word|ms-excel|ms-powerpoint|ms-outlook|visio|openxmlformats/.test(claim)
    ? claim
    : 'application/x-cfb';
}

/** The reader of a type says that its file is damaged. Bytes without a type are not supported, and say nothing. */
function binaryType(claim: string | null, named: string | null): string {
  return [claim, named].find((candidate) => candidate !== null && !isTextual(candidate)) ?? unknownType;
}

/** Whether the bytes are text in a common encoding: no zero bytes outside UTF-16 and UTF-32, almost no control characters. */
function looksLikeText(head: Buffer): boolean {
  return isPlain(head) || isMarkedUnicode(head) || guessUnicode(head) !== null;
}

function isPlain(head: Buffer): boolean {
  let controls = 0;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] as number;
    if (byte === 0) return false;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) controls++;
  }
  return controls <= head.length * 0.005;
}

function textType(head: Buffer, claim: string | null, named: string | null): string {
  const text = textOf(head).trimStart();
  const structured =
    structuredType(text.slice(0, 2048)) ??
    jsonType(text, head.length) ??
    (isMailHeader(text) ? 'message/rfc822' : null) ??
    exportedType(text.slice(0, 2048), [claim, named]);
  const candidates = [claim, named].filter(
    (candidate): candidate is string => candidate !== null && isTextual(candidate),
  );
  // Clients claim `text/plain` when they do not know the type. A more exact type takes precedence.
  const exact = candidates.find((candidate) => candidate !== 'text/plain');
  if (structured !== null && (exact === undefined || !isTextual(exact) || contradicts(structured, exact)))
    return structured;
  return exact ?? candidates[0] ?? 'text/plain';
}

function textOf(head: Buffer): string {
  const encoding = encodingOfByteOrderMark(head) ?? guessUnicode(head);
  return encoding === null || encoding === 'utf-8' ? new TextDecoder().decode(head) : decodeUnicode(head, encoding);
}

function structuredType(beginning: string): string | null {
  if (/^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(afterComments(beginning))) return 'text/html';
  if (/^<\?xml\s/i.test(beginning)) {
    if (/<html[\s>]/i.test(beginning)) return 'application/xhtml+xml';
    return /<svg[\s>]/i.test(beginning) ? 'image/svg+xml' : 'application/xml';
  }
  if (/^<svg[\s>]/i.test(beginning)) return 'image/svg+xml';
  return null;
}

/** Web programs call pages and tables of values `.xls` or `.doc`, so that Office opens them. Null for other text. */
function exportedType(beginning: string, stated: readonly (string | null)[]): string | null {
  const names = stated.filter(
    (name) => name !== null && /^application\/(?:vnd\.ms-excel|x?-?msexcel|msword)$/.test(name),
  );
  if (names.length === 0) return null;
  if (/^<(?:table|meta|title|style|div|p|br|font|center|h[1-6])[\s>/]/i.test(afterComments(beginning)))
    return 'text/html';
  const isTable = names.some((name) => name !== 'application/msword') && /^[^\n]*\t/.test(beginning);
  return isTable ? 'text/tab-separated-values' : null;
}

/** The text after the comments at its beginning. */
function afterComments(text: string): string {
  let at = 0;
  while (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    if (end === -1) return '';
    at = end + 3;
    while (/\s/.test(text[at] ?? '')) at++;
  }
  return text.slice(at);
}

/** An HTML page that is claimed as csv is an HTML page. A program that prints HTML is not. */
function contradicts(structured: string, exact: string): boolean {
  if (structured === 'text/html') return /csv|tab-separated|json|xml$/.test(exact) && exact !== 'application/xhtml+xml';
  if (structured === notebookType) return exact === 'application/json';
  if (structured === 'application/json') return /html|xml$/.test(exact);
  if (structured === 'message/rfc822') return false;
  return structured === 'image/svg+xml' || /csv|tab-separated|json|html$/.test(exact);
}

function isContentType(text: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(text);
}
