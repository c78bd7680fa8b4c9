/**
 * Opens a zip of unknown origin. A few kilobytes can inflate to gigabytes, and an archive can declare false sizes. So
 * the declared sizes are bounded before anything is inflated, an entry that holds more than it declares is refused, and
 * the texts of all entries share one bound.
 */
import { open as openFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import type { DocumentKind } from '@kiln/file-types/content-type';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { declaredCharset } from '../charset/declared-charset.js';
import { decodeText } from '../charset/decode-text.js';
import type { EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { encryptedFile } from '@kiln/pdf/extraction-error';
import { openZip } from './open-zip.js';

/** Archives that inflate to less may have any compression ratio. */
const ratioFreeBytes = 16 * 1024 * 1024;
/** The first bytes of an encrypted Office file: a compound file ([MS-OFFCRYPTO] 2.3) instead of a zip. */
const compoundFileMagic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

export class ZipArchive {
  private readonly entries = new Map<string, Entry>();
  /** The entries by their names in lower case. */
  private readonly folded = new Map<string, Entry>();
  private textBytes = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly input: EngineInput,
    private readonly kind: DocumentKind,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Opens the file, passes it to `read`, and closes it.
   * @throws ExtractionError encrypted_file, file_too_large or corrupt_file
   */
  static async read<T>(
    input: EngineInput,
    kind: DocumentKind,
    signal: AbortSignal,
    read: (archive: ZipArchive) => Promise<T>,
  ): Promise<T> {
    await assertNotEncrypted(input);
    const zip = await openZip(input.path);
    const archive = new ZipArchive(zip, input, kind, signal);
    try {
      await archive.readDirectory();
      return await read(archive);
    } finally {
      zip.close();
    }
  }

  /** In the order of the directory. */
  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /** The text of an entry, decoded by its byte order mark or its declaration. Null if the archive has no such entry. */
  async text(name: string): Promise<string | null> {
    const bytes = await this.bytes(name);
    return bytes === null ? null : decodeText(bytes, declaredCharset(bytes)).text;
  }

  /** The same as {@link text}, but a missing entry means a damaged file. */
  async requiredText(name: string): Promise<string> {
    const text = await this.text(name);
    if (text === null) throw corruptFile(this.kind, this.input.filename);
    return text;
  }

  /** All texts that are read share one limit. */
  async bytes(name: string): Promise<Buffer | null> {
    this.signal.throwIfAborted();
    const entry = this.find(name);
    if (entry === undefined) return null;
    if (entry.isEncrypted()) throw encryptedFile(this.input.filename);
    const content = await this.inflate(entry, this.input.limits.textBytesMax - this.textBytes);
    this.textBytes += content.length;
    return content;
  }

  /** The names of parts do not depend on case (ISO/IEC 29500-2, 6.2.2.3), and some programs write `SharedStrings.xml`. */
  private find(name: string): Entry | undefined {
    return this.entries.get(name) ?? this.folded.get(name.toLowerCase());
  }

  private async readDirectory(): Promise<void> {
    let declaredBytes = 0;
    let count = 0;
    for await (const entry of entriesOf(this.zip)) {
      this.signal.throwIfAborted();
      if (!this.entries.has(entry.fileName)) this.entries.set(entry.fileName, entry);
      const folded = entry.fileName.toLowerCase();
      if (!this.folded.has(folded)) this.folded.set(folded, entry);
      declaredBytes += entry.uncompressedSize;
      count++;
      assertBounds(this.input, count, declaredBytes);
    }
  }

  private async inflate(entry: Entry, bytesMax: number): Promise<Buffer> {
    const stream = await new Promise<Readable>((resolve, reject) => {
      this.zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        stream.destroy();
        throw partTooLarge(this.input, `holds more than ${formatBytes(this.input.limits.textBytesMax)} of text`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

/** @throws ExtractionError encrypted_file for an Office file that needs a password. */
async function assertNotEncrypted(input: EngineInput): Promise<void> {
  const file = await openFile(input.path);
  try {
    const head = Buffer.alloc(compoundFileMagic.length);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    if (bytesRead === head.length && head.equals(compoundFileMagic)) throw encryptedFile(input.filename);
  } finally {
    await file.close();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const once = (finish: () => void) => (): void => {
        zip.removeListener('entry', onEntry).removeListener('end', onEnd).removeListener('error', onError);
        finish();
      };
      const onEntry = (next: Entry): void => once(() => resolve(next))();
      const onEnd = once(() => resolve(null));
      const onError = (error: Error): void => once(() => reject(error))();
      zip.once('entry', onEntry).once('end', onEnd).once('error', onError);
      zip.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

function assertBounds(input: EngineInput, entries: number, inflatedBytes: number): void {
  const { archiveEntriesMax, inflatedBytesMax, inflationRatioMax } = input.limits;
  if (entries > archiveEntriesMax) throw partTooLarge(input, `has more than ${archiveEntriesMax} parts`);
  if (inflatedBytes > inflatedBytesMax)
    throw partTooLarge(input, `unpacks to more than ${formatBytes(inflatedBytesMax)}`);
  if (inflatedBytes > ratioFreeBytes && inflatedBytes > input.bytes * inflationRatioMax)
    throw partTooLarge(input, `unpacks to more than ${inflationRatioMax} times its size`);
}

/** `what` continues a sentence that begins with the filename. */
export function partTooLarge(input: EngineInput, what: string): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${input.filename}" ${what}. Remove embedded content, or split it into smaller files.`,
  );
}
