/**
 * Reads a compound file ([MS-CFB]): storages and streams, like folders and files. Each sector belongs to one stream, so
 * all streams together are no larger than the file. If they are larger, the file is damaged.
 */
const magic = 'd0cf11e0a1b11ae1';
const headerBytes = 512;
const entryBytes = 128;
const miniSectorBits = 6;
/** The number of sector positions in the header. */
const placesInHeader = 109;
const firstPlace = 76;
/** Larger values have a special meaning, such as the end or a free sector. */
const sectorMax = 0xffff_fffa;
const storageType = 1;
const streamType = 2;
const rootType = 5;

/** Keys are names in upper case. */
export interface Storage {
  streams: Map<string, Buffer>;
  storages: Map<string, Storage>;
}

/** @throws Error for a damaged file, and for a file of another format. */
export function readCompoundFile(bytes: Buffer): Storage {
  return new CompoundFile(bytes).read();
}

class CompoundFile {
  private readonly sectorBits: number;
  /** For each sector, the number of the sector that follows it. `nextMini` has the same for small sectors. */
  private readonly next: Buffer;
  private readonly nextMini: Buffer;
  private readonly directory: Buffer;
  private readonly miniSectors: Buffer;
  private readonly miniStreamMax: number;
  /** The number of bytes that streams may still take. Small streams are read twice. */
  private remaining: number;

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < headerBytes || bytes.toString('hex', 0, 8) !== magic) throw new Error('no compound file');
    this.sectorBits = bytes.readUInt16LE(30);
    if (this.sectorBits !== 9 && this.sectorBits !== 12) throw new Error('sectors of an unknown size');
    this.miniStreamMax = bytes.readUInt32LE(56);
    this.remaining = 4 * bytes.length;
    this.next = this.sectorTable();
    this.directory = this.chain(bytes.readUInt32LE(48));
    this.nextMini = this.chain(bytes.readUInt32LE(60));
    if (this.directory.length < entryBytes || this.directory[66] !== rootType) throw new Error('no directory');
    this.miniSectors = this.chain(this.directory.readUInt32LE(116));
  }

  read(): Storage {
    const visited = new Set<number>();
    const root = newStorage();
    const open: [entry: number, storage: Storage][] = [[this.directory.readUInt32LE(76), root]];
    for (let taken = open.pop(); taken !== undefined; taken = open.pop()) {
      const [index, parent] = taken;
      const at = index * entryBytes;
      if (at + entryBytes > this.directory.length || visited.has(index)) continue;
      visited.add(index);
      const entry = this.directory.subarray(at, at + entryBytes);
      open.push([entry.readUInt32LE(68), parent], [entry.readUInt32LE(72), parent]);
      const type = entry[66];
      if (type === streamType) parent.streams.set(nameOf(entry), this.stream(entry));
      if (type !== storageType) continue;
      const storage = newStorage();
      parent.storages.set(nameOf(entry), storage);
      open.push([entry.readUInt32LE(76), storage]);
    }
    return root;
  }

  private stream(entry: Buffer): Buffer {
    const start = entry.readUInt32LE(116);
    const size = entry.readUInt32LE(120);
    const isMini = size < this.miniStreamMax;
    const content = isMini
      ? this.walk(start, this.miniSectors, 0, miniSectorBits, this.nextMini, size)
      : this.chain(start, size);
    return content.subarray(0, size);
  }

  /**
   * The content of `next`. The header names the first sectors of this table, and a chain of sectors names the others.
   */
  private sectorTable(): Buffer {
    const { bytes } = this;
    const places: number[] = [];
    for (let index = 0; index < placesInHeader; index++) places.push(bytes.readUInt32LE(firstPlace + 4 * index));
    const sectors = bytes.length >> this.sectorBits;
    let at = bytes.readUInt32LE(68);
    for (let count = 0; at < sectorMax && count < sectors; count++) {
      const list = this.sector(at);
      for (let offset = 0; offset + 8 <= list.length; offset += 4) places.push(list.readUInt32LE(offset));
      at = list.length < 4 ? sectorMax : list.readUInt32LE(list.length - 4);
    }
    const used = places.filter((place) => place < sectorMax).slice(0, sectors + 1);
    return Buffer.concat(used.map((place) => this.sector(place)));
  }

  private sector(index: number): Buffer {
    const start = (index + 1) * 2 ** this.sectorBits;
    return this.bytes.subarray(start, start + 2 ** this.sectorBits);
  }

  private chain(start: number, bytesMax = Number.MAX_SAFE_INTEGER): Buffer {
    return this.walk(start, this.bytes, 1, this.sectorBits, this.next, bytesMax);
  }

  /** The chain of sectors that begins with `start`. `content` has `before` other sectors first. */
  private walk(start: number, content: Buffer, before: number, bits: number, next: Buffer, bytesMax: number): Buffer {
    const sectors: Buffer[] = [];
    const size = 2 ** bits;
    let length = 0;
    for (let at = start; at < sectorMax && length < bytesMax;) {
      const sector = content.subarray((at + before) * size, (at + before + 1) * size);
      length += size;
      this.remaining -= size;
      if (sector.length === 0 || this.remaining < 0) throw new Error('sectors that are missing or used twice');
      sectors.push(sector);
      if (4 * at + 4 > next.length) break;
      at = next.readUInt32LE(4 * at);
    }
    return Buffer.concat(sectors);
  }
}

const newStorage = (): Storage => ({ streams: new Map(), storages: new Map() });

function nameOf(entry: Buffer): string {
  const bytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
  return entry.toString('utf16le', 0, bytes & ~1).toUpperCase();
}
