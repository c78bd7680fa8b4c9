/** Reads the files that are attached to a message with the engines of their types. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentKindOf, type DocumentKind } from '@kiln/file-types/content-type';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/file-types/sniff-content-type';
import type { EngineInput, EngineOutput } from '../engine.js';
import { toExtractionError } from '../engine-failure.js';
import type { MailAttachment, MailMessage } from './mail-message.js';

/** Messages within messages are read to this depth. */
const depthMax = 3;
/** Attachments beyond this number are listed, but not read. */
const readMax = 50;
const filenameCharactersMax = 255;
/** The engines of these kinds find no text, and the message need not say so for each file. */
const unread: ReadonlySet<DocumentKind> = new Set<DocumentKind>(['image', 'audio']);

export type MessageReader = (message: MailMessage, input: EngineInput, signal: AbortSignal) => Promise<EngineOutput>;

export interface AttachedFile {
  filename: string;
  /** The type and size, such as `application/pdf, 12 KiB`, and the reason if the file is not read. */
  description: string;
  /** Null if the file is not read. */
  markdown: string | null;
}

/** @throws ExtractionError only for faults of the machine: a damaged attachment does not make a message unreadable. */
export async function readAttachedFiles(
  attachments: readonly MailAttachment[],
  input: EngineInput,
  signal: AbortSignal,
  readMessage: MessageReader,
): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  let { outputBytesMax, ocrMillisecondsMax } = input.limits;
  for (const [index, attachment] of attachments.entries()) {
    const filename = attachment.filename.slice(0, filenameCharactersMax).toWellFormed();
    const contentType = await typeOf(attachment);
    const limits = { ...input.limits, outputBytesMax, ocrMillisecondsMax };
    const startedAt = performance.now();
    const inner = { ...input, limits, filename, contentType, depth: input.depth + 1 };
    const result =
      index < readMax ? await readFile(attachment, inner, signal, readMessage) : { reason: 'too many files' };
    if ('markdown' in result) outputBytesMax -= Buffer.byteLength(result.markdown);
    // Scans share the time of the message, which ends as a whole when that is over.
    ocrMillisecondsMax = Math.max(0, ocrMillisecondsMax - (performance.now() - startedAt));
    const notRead = 'reason' in result ? result.reason : result.leftOut > 0 ? pagesOf(result.leftOut) : null;
    files.push({
      filename,
      description: [contentType, ...sizeOf(attachment), ...(notRead === null ? [] : [`not read: ${notRead}`])].join(
        ', ',
      ),
      markdown: 'markdown' in result ? result.markdown : null,
    });
  }
  return files;
}

const sizeOf = ({ content }: MailAttachment): string[] =>
  content instanceof Uint8Array ? [formatBytes(content.length)] : [];

async function typeOf({ content, filename, contentType }: MailAttachment): Promise<string> {
  if (!(content instanceof Uint8Array)) return contentType;
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, SNIFFED_BYTES));
  return sniffContentType({ head, filename, claimed: contentType });
}

const pagesOf = (count: number): string => (count === 1 ? 'one page' : `${count} pages`);

/** `leftOut`: the number of pages that were not recognized. */
type ReadResult = { markdown: string; leftOut: number } | { reason: string | null };

async function readFile(
  { content }: MailAttachment,
  input: EngineInput,
  signal: AbortSignal,
  readMessage: MessageReader,
): Promise<ReadResult> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || unread.has(kind)) return { reason: null };
  if (input.depth > depthMax) return { reason: 'a file in too many files' };
  try {
    const { markdown, details } =
      content instanceof Uint8Array
        ? await readBytes(content, kind, input, signal)
        : await readMessage(content, input, signal);
    return Buffer.byteLength(markdown) > input.limits.outputBytesMax
      ? { reason: reasons.file_too_large }
      : { markdown, leftOut: Number(details['ocr_pages_left_out'] ?? 0) };
  } catch (error) {
    const known = toExtractionError(error, kind, input.filename, signal);
    if (!(known instanceof ExtractionError) || !(known.code in reasons)) throw known;
    return { reason: reasons[known.code as keyof typeof reasons] };
  }
}

async function readBytes(
  content: Uint8Array,
  kind: DocumentKind,
  input: EngineInput,
  signal: AbortSignal,
): Promise<EngineOutput> {
  const path = join(input.scratchDirectory, `attachment-${input.depth}`);
  try {
    await writeFile(path, content);
    const engine = await input.loadEngine(kind);
    return await engine({ ...input, path, bytes: content.length }, signal);
  } finally {
    await rm(path, { force: true });
  }
}

/** The error codes for which the file itself is at fault. */
const reasons = {
  unsupported_type: 'of an unsupported type',
  corrupt_file: 'damaged',
  encrypted_file: 'protected by a password',
  file_too_large: 'too large',
} as const;
