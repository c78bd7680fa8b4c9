/** The properties of an Outlook message. Each is a stream of the compound file, and has its name ([MS-OXMSG] 2). */
import { declaredCharset } from '../charset/declared-charset.js';
import { decodeText } from '../charset/decode-text.js';

const stringType = '001F';
const legacyStringType = '001E';
const binaryType = '0102';
const propertiesStream = '__properties_version1.0';
const entryBytes = 16;
/** The number of bytes before the entries. Messages and embedded messages have longer headers than other storages. */
const headerBytes = { root: 32, embedded: 24, other: 8 } as const;
/** FILETIME counts steps of 100 ns since 1601-01-01. */
const fileTimePerMillisecond = 10_000n;
const unixEpochMilliseconds = 11_644_473_600_000n;

export class MsgStorage {
  private readonly fixed: ReadonlyMap<string, Buffer>;

  /** `streams` and `storages` are the direct children, by names in upper case. */
  constructor(
    private readonly streams: ReadonlyMap<string, Uint8Array>,
    readonly storages: ReadonlyMap<string, () => MsgStorage>,
    kind: keyof typeof headerBytes,
    private readonly outerCharset: string | null,
  ) {
    this.fixed = fixedProperties(streams.get(propertiesStream.toUpperCase()), headerBytes[kind]);
  }

  /** The storages of a kind, in the order of their numbers. */
  all(prefix: string): MsgStorage[] {
    return [...this.storages.keys()]
      .filter((name) => name.startsWith(prefix.toUpperCase()))
      .toSorted()
      .map((name) => this.storages.get(name))
      .flatMap((storage) => (storage === undefined ? [] : [storage()]));
  }

  text(property: string): string | null {
    const unicode = this.stream(property, stringType);
    if (unicode !== null) return Buffer.from(unicode).toString('utf16le').replaceAll('\0', '').toWellFormed();
    const legacy = this.stream(property, legacyStringType);
    return legacy === null ? null : decodeText(legacy, this.charset).text;
  }

  /** Text that is stored as bytes, such as HTML. */
  encodedText(property: string): string | null {
    const bytes = this.binary(property);
    return bytes === null ? null : decodeText(bytes, declaredCharset(bytes) ?? this.charset).text;
  }

  binary(property: string): Uint8Array | null {
    return this.stream(property, binaryType);
  }

  integer(property: string): number | null {
    return this.fixed.get(property)?.readInt32LE(0) ?? null;
  }

  /** ISO 8601 */
  time(property: string): string | null {
    const value = this.fixed.get(property)?.readBigUInt64LE(0) ?? 0n;
    const milliseconds = Number(value / fileTimePerMillisecond - unixEpochMilliseconds);
    return value === 0n || Math.abs(milliseconds) > 8.64e15 ? null : new Date(milliseconds).toISOString();
  }

  /** The character set of the message's code page (`PidTagInternetCodepage`, `PidTagMessageCodepage`). */
  get charset(): string | null {
    const page = this.integer('3FDE') ?? this.integer('3FFD');
    return page === null ? this.outerCharset : charsetOfCodePage(page);
  }

  private stream(property: string, type: string): Uint8Array | null {
    return this.streams.get(`__SUBSTG1.0_${property}${type}`) ?? null;
  }
}

function fixedProperties(stream: Uint8Array | undefined, start: number): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const bytes = Buffer.from(stream ?? []);
  for (let at = start; at + entryBytes <= bytes.length; at += entryBytes) {
    const id = bytes
      .readUInt16LE(at + 2)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    found.set(id, bytes.subarray(at + 8, at + entryBytes));
  }
  return found;
}

const codePages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
  20866: 'koi8-r',
  21866: 'koi8-u',
  20127: 'windows-1252',
  28591: 'iso-8859-1',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
};

function charsetOfCodePage(page: number): string {
  if (page >= 28592 && page <= 28606) return `iso-8859-${page - 28590}`;
  return codePages[page] ?? `windows-${page}`;
}
