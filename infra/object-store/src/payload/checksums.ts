// The checksums a client may send with a body: Content-MD5 and x-amz-checksum-*, the latter as header or trailer.
// CRC-64/NVME is accepted but not verified.
import { createHash } from 'node:crypto';
import { S3Error } from '../s3-errors.js';

interface RunningChecksum {
  update(piece: Buffer): void;
  base64(): string;
}

const makers: Record<string, () => RunningChecksum> = {
  md5: () => hashed('md5'),
  sha1: () => hashed('sha1'),
  sha256: () => hashed('sha256'),
  crc32: () => new Crc32(0xedb88320),
  crc32c: () => new Crc32(0x82f63b78),
};

export function startChecksum(algorithm: string): RunningChecksum | undefined {
  return Object.hasOwn(makers, algorithm) ? makers[algorithm]?.() : undefined;
}

function hashed(algorithm: string): RunningChecksum {
  const hash = createHash(algorithm);
  return { update: (piece) => void hash.update(piece), base64: () => hash.digest('base64') };
}

const tables = new Map<number, Uint32Array>();

function tableOf(polynomial: number): Uint32Array {
  const known = tables.get(polynomial);
  if (known !== undefined) return known;
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    table[byte] = value;
  }
  tables.set(polynomial, table);
  return table;
}

/** Computes any reflected 32-bit CRC, in JavaScript, because Node has one only since 20.15. */
class Crc32 implements RunningChecksum {
  readonly #table: Uint32Array;
  #value = 0xffffffff;

  constructor(polynomial: number) {
    this.#table = tableOf(polynomial);
  }

  update(piece: Buffer): void {
    let value = this.#value;
    for (let at = 0; at < piece.length; at += 1) {
      value = (value >>> 8) ^ (this.#table[(value ^ (piece[at] ?? 0)) & 0xff] ?? 0);
    }
    this.#value = value;
  }

  base64(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#value ^ 0xffffffff) >>> 0);
    return bytes.toString('base64');
  }
}

const HEADER_PREFIX = 'x-amz-checksum-';

/** Collects the claimed checksums and the checksums of the received bytes, and compares them at the end. */
export class ChecksumGuard {
  readonly #running = new Map<string, RunningChecksum>();
  readonly #claims = new Map<string, string>();

  /** `announced` are the algorithms whose value comes in a trailer. */
  constructor(claims: Iterable<readonly [algorithm: string, base64: string]>, announced: Iterable<string>) {
    for (const [algorithm, value] of claims) this.claim(algorithm, value);
    for (const algorithm of [...this.#claims.keys(), ...announced]) {
      const checksum = startChecksum(algorithm);
      if (checksum !== undefined) this.#running.set(algorithm, checksum);
    }
  }

  claim(algorithm: string, base64: string): void {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new S3Error('InvalidDigest');
    this.#claims.set(algorithm, base64);
  }

  claimTrailer(name: string, value: string): void {
    if (name.startsWith(HEADER_PREFIX)) this.claim(name.slice(HEADER_PREFIX.length), value);
  }

  update(piece: Buffer): void {
    for (const checksum of this.#running.values()) checksum.update(piece);
  }

  verify(): void {
    for (const [algorithm, checksum] of this.#running) {
      const claimed = this.#claims.get(algorithm);
      if (claimed === undefined) throw new S3Error('InvalidRequest', `The ${algorithm} trailer is missing.`);
      if (checksum.base64() !== claimed)
        throw new S3Error('BadDigest', `The ${algorithm} does not match the received bytes.`);
    }
  }
}

/** Verifies the checksums that a request's headers require. */
export function checksumGuardOf(header: (name: string) => string | undefined, names: Iterable<string>): ChecksumGuard {
  const claims: [string, string][] = [];
  const md5 = header('content-md5');
  if (md5 !== undefined) claims.push(['md5', md5]);
  for (const name of names) {
    const algorithm = name.startsWith(HEADER_PREFIX) ? name.slice(HEADER_PREFIX.length) : '';
    if (algorithm !== '' && algorithm !== 'type' && algorithm !== 'algorithm')
      claims.push([algorithm, header(name) ?? '']);
  }
  const announced = (header('x-amz-trailer') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith(HEADER_PREFIX))
    .map((name) => name.slice(HEADER_PREFIX.length));
  return new ChecksumGuard(claims, announced);
}
