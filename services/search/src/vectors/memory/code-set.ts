// The vectors of one tenant and model in memory. A search compares the signs of all vectors with those of the query, then computes the cosines
// of the best candidates. When few vectors pass the filter, it computes the cosines of all of them.
import type { VectorHit, VectorHits, VectorQuery } from '../vector-index.port.js';
import { codedBytes } from '../domain/vector-codes.js';
import { wordsOf, writeSigns } from '../domain/hamming.js';
import { CodeSegment, VECTORS_PER_SEGMENT } from './code-segment.js';

/** A file as it changed: its vectors, or none when they were removed. */
export interface ChangedFile {
  fileId: string;
  jobNumber: number;
  fence: number;
  facets: readonly string[];
  /** The vectors of its chunks, in order, as stored. Empty: removed. */
  codes: readonly Uint8Array[];
}

interface KnownFile extends Pick<VectorHit, 'fileId' | 'jobNumber' | 'fence'> {
  readonly facets: readonly number[];
  readonly vectors: number;
  isRemoved: boolean;
}

interface Candidate {
  readonly owner: number;
  readonly index: number;
  readonly score: number;
}

/** Up to so many vectors, computing all cosines takes no longer than a scan of the signs is worth. */
const EXACT_MAX = 4_000;
/** Candidates for each result, by the signs. */
const CANDIDATES_PER_RESULT = 40;
const CANDIDATES_MIN = 2_000;
const GROWTH = 4;
/** The set is rewritten when this share of its vectors is removed. */
const REMOVED_SHARE_MAX = 0.25;

export class CodeSet {
  private segments: CodeSegment[] = [];
  private files: KnownFile[] = [];
  private positions = new Map<string, number>();
  private readonly facetNumbers = new Map<string, number>();
  private removedVectors = 0;
  private vectors = 0;

  constructor(private readonly dimensions: number) {}

  /** Memory of so many vectors, in bytes. That of the files' ids and facets is not counted. */
  static bytesOf(vectors: number, dimensions: number): number {
    return Math.ceil(vectors / VECTORS_PER_SEGMENT) * CodeSegment.bytesOf(dimensions);
  }

  get bytes(): number {
    return this.segments.length * CodeSegment.bytesOf(this.dimensions);
  }

  /** Replaces the file's vectors. */
  apply(changed: ChangedFile): void {
    this.remove(changed.fileId);
    const { fileId, jobNumber, fence, codes } = changed;
    if (codes.length === 0) return;
    const owner = this.files.length;
    let index = 0;
    for (const part of codes) {
      const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
      for (let at = 0; at < part.byteLength; at += codedBytes(this.dimensions)) {
        const coded = new DataView(view.buffer, view.byteOffset + at, codedBytes(this.dimensions));
        this.lastSegment().add(owner, index++, coded);
      }
    }
    this.vectors += index;
    const facets = changed.facets.map((facet) => this.facetNumber(facet));
    this.files.push({ fileId, jobNumber, fence, facets, vectors: index, isRemoved: false });
    this.positions.set(fileId, owner);
    if (this.removedVectors > this.vectors * REMOVED_SHARE_MAX) this.rewrite();
  }

  private remove(fileId: string): void {
    const file = this.files[this.positions.get(fileId) ?? -1];
    if (!file) return;
    file.isRemoved = true;
    this.removedVectors += file.vectors;
    this.positions.delete(fileId);
  }

  search(query: VectorQuery): VectorHits {
    const passing = this.filter(query.facets);
    const candidates =
      passing.vectors <= EXACT_MAX ? this.all(passing.owners, query.vector) : this.nearest(passing, query);
    const best = query.of === 'file' ? bestOfFiles(candidates) : candidates;
    best.sort((left, right) => right.score - left.score || left.owner - right.owner || left.index - right.index);
    const hits = best.slice(0, query.limit).flatMap(({ owner, index, score }): VectorHit[] => {
      const file = this.files[owner];
      return file ? [{ fileId: file.fileId, jobNumber: file.jobNumber, fence: file.fence, index, score }] : [];
    });
    return { hits, files: passing.files };
  }

  /** Marks the files that have all facets. */
  private filter(facets: readonly string[]) {
    const wanted = facets.map((facet) => this.facetNumbers.get(facet) ?? -1);
    const owners = new Uint8Array(this.files.length);
    let [files, vectors] = [0, 0];
    for (const [owner, file] of this.files.entries()) {
      if (file.isRemoved || !wanted.every((facet) => file.facets.includes(facet))) continue;
      owners[owner] = 1;
      files++;
      vectors += file.vectors;
    }
    return { owners, files, vectors };
  }

  private all(passing: Uint8Array, query: Float32Array): Candidate[] {
    const candidates: Candidate[] = [];
    for (const segment of this.segments) {
      const { owners, indexes, length } = segment;
      for (let at = 0; at < length; at++) {
        const owner = owners[at] ?? 0;
        if (passing[owner] === 1) candidates.push({ owner, index: indexes[at] ?? 0, score: segment.score(at, query) });
      }
    }
    return candidates;
  }

  /** Candidates by the signs. Takes more of them while they belong to too few files. */
  private nearest(passing: { owners: Uint8Array; vectors: number }, { vector, limit, of }: VectorQuery): Candidate[] {
    const signs = new Int32Array(wordsOf(this.dimensions));
    writeSigns(vector, 0, this.dimensions, signs, 0);
    const { distances, counts } = this.scan(passing.owners, signs);
    let wanted = Math.max(CANDIDATES_MIN, limit * CANDIDATES_PER_RESULT);
    for (;;) {
      const candidates = this.within(distances, distanceOf(counts, wanted), vector);
      const results = of === 'file' ? new Set(candidates.map(({ owner }) => owner)).size : candidates.length;
      if (results >= limit || candidates.length >= passing.vectors) return candidates;
      wanted *= GROWTH;
    }
  }

  /** The distance of each vector, and how many vectors have each distance. A file that does not pass gets the highest number. */
  private scan(passing: Uint8Array, signs: Int32Array) {
    const counts = new Uint32Array(this.dimensions + 1);
    const distances = this.segments.map((segment) => {
      const { owners, length } = segment;
      const ofSegment = new Uint16Array(length).fill(OUTSIDE);
      for (let at = 0; at < length; at++) {
        if (passing[owners[at] ?? 0] === 0) continue;
        const distance = segment.distance(at, signs);
        ofSegment[at] = distance;
        counts[distance] = (counts[distance] ?? 0) + 1;
      }
      return ofSegment;
    });
    return { distances, counts };
  }

  private within(distances: readonly Uint16Array[], distanceMax: number, query: Float32Array): Candidate[] {
    const candidates: Candidate[] = [];
    for (const [position, segment] of this.segments.entries()) {
      const ofSegment = distances[position] ?? [];
      for (let at = 0; at < ofSegment.length; at++) {
        if ((ofSegment[at] ?? OUTSIDE) > distanceMax) continue;
        const score = segment.score(at, query);
        candidates.push({ owner: segment.owners[at] ?? 0, index: segment.indexes[at] ?? 0, score });
      }
    }
    return candidates;
  }

  private facetNumber(facet: string): number {
    const known = this.facetNumbers.get(facet);
    if (known !== undefined) return known;
    const number = this.facetNumbers.size;
    this.facetNumbers.set(facet, number);
    return number;
  }

  private lastSegment(): CodeSegment {
    const last = this.segments.at(-1);
    if (last && !last.isFull) return last;
    const added = new CodeSegment(this.dimensions);
    this.segments.push(added);
    return added;
  }

  /** Drops removed vectors. Each segment is freed after it was copied. */
  private rewrite(): void {
    const { segments, files } = this;
    const owners = new Map<number, number>();
    [this.segments, this.files, this.positions] = [[], [], new Map()];
    for (const [owner, file] of files.entries()) {
      if (file.isRemoved) continue;
      owners.set(owner, this.files.length);
      this.positions.set(file.fileId, this.files.length);
      this.files.push(file);
    }
    for (let segment = segments.shift(); segment; segment = segments.shift()) {
      for (let at = 0; at < segment.length; at++) {
        const owner = owners.get(segment.owners[at] ?? -1);
        if (owner !== undefined) this.lastSegment().copy(segment, at, owner);
      }
    }
    this.vectors -= this.removedVectors;
    this.removedVectors = 0;
  }
}

/** Higher than any distance. */
const OUTSIDE = 65_535;

/** The smallest distance within which there are at least `wanted` vectors. */
function distanceOf(counts: Uint32Array, wanted: number): number {
  let sum = 0;
  for (const [distance, count] of counts.entries()) {
    sum += count;
    if (sum >= wanted) return distance;
  }
  return counts.length - 1;
}

function bestOfFiles(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const other = best.get(candidate.owner);
    if (!other || candidate.score > other.score) best.set(candidate.owner, candidate);
  }
  return [...best.values()];
}
