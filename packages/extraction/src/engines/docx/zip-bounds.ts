/**
 * Checks an office file before a library opens it. A few kilobytes can inflate to gigabytes, and an archive can declare
 * false sizes. So the parts that a library will read are inflated here first, up to a limit.
 */
import type { Readable } from 'node:stream';
import { type Entry, type ZipFile, open } from 'yauzl';
import { ExtractionError } from '../../extraction-error.js';
import { formatBytes } from '../../limits.js';
import type { EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { assertPartBounds, PartBoundError } from './part-bounds.js';
import { MalformedXmlError } from './xml-tokens.js';

/** Archives that inflate to less may have any compression ratio. */
const ratioFreeBytes = 16 * 1024 * 1024;
const readAsText = /\.(?:xml|rels)$/i;

export interface CheckedArchive {
  /** The text of the requested parts, by name. */
  parts: Map<string, string>;
  names: Set<string>;
}

export async function checkArchive(
  input: EngineInput,
  wantedParts: readonly string[],
  signal: AbortSignal,
): Promise<CheckedArchive> {
  const archive = await openArchive(input.path);
  const found: CheckedArchive = { parts: new Map(), names: new Set() };
  let declaredBytes = 0;
  let textBytes = 0;
  try {
    for await (const entry of entriesOf(archive)) {
      signal.throwIfAborted();
      found.names.add(entry.fileName);
      declaredBytes += entry.uncompressedSize;
      assertBounds(input, found.names.size, declaredBytes);
      if (!readAsText.test(entry.fileName)) continue;
      const inflated = await inflate(archive, entry, input, input.limits.textBytesMax - textBytes);
      textBytes += inflated.bytes;
      assertReadable(input, inflated.text);
      if (wantedParts.includes(entry.fileName)) found.parts.set(entry.fileName, inflated.text);
    }
  } finally {
    archive.close();
  }
  return found;
}

function openArchive(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, archive) =>
      error === null ? resolve(archive) : reject(error),
    );
  });
}

async function* entriesOf(archive: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const once = (finish: () => void) => (): void => {
        archive.removeListener('entry', onEntry).removeListener('end', onEnd).removeListener('error', onError);
        finish();
      };
      const onEntry = (next: Entry): void => once(() => resolve(next))();
      const onEnd = once(() => resolve(null));
      const onError = (error: Error): void => once(() => reject(error))();
      archive.once('entry', onEntry).once('end', onEnd).once('error', onError);
      archive.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

function assertBounds(input: EngineInput, entries: number, inflatedBytes: number): void {
  const { archiveEntriesMax, inflatedBytesMax, inflationRatioMax } = input.limits;
  if (entries > archiveEntriesMax) throw tooLarge(input, `has more than ${archiveEntriesMax} parts`);
  if (inflatedBytes > inflatedBytesMax) throw tooLarge(input, `unpacks to more than ${formatBytes(inflatedBytesMax)}`);
  if (inflatedBytes > ratioFreeBytes && inflatedBytes > input.bytes * inflationRatioMax) {
    throw tooLarge(input, `unpacks to more than ${inflationRatioMax} times its size`);
  }
}

function tooLarge(input: EngineInput, what: string): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${input.filename}" ${what}. Remove embedded content, or split it into smaller files.`,
  );
}

/** @throws ExtractionError file_too_large or corrupt_file */
function assertReadable(input: EngineInput, xml: string): void {
  // A NUL means UTF-16, which mammoth does not read.
  if (xml.includes('\0')) return;
  try {
    assertPartBounds(xml);
  } catch (error) {
    if (error instanceof PartBoundError) throw tooLarge(input, error.message);
    throw error instanceof MalformedXmlError ? corruptFile('docx', input.filename, error) : error;
  }
}

async function inflate(
  archive: ZipFile,
  entry: Entry,
  input: EngineInput,
  bytesMax: number,
): Promise<{ bytes: number; text: string }> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    archive.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      stream.destroy();
      throw tooLarge(input, `holds more than ${formatBytes(input.limits.textBytesMax)} of text`);
    }
    chunks.push(chunk);
  }
  return { bytes, text: Buffer.concat(chunks).toString('utf8') };
}
