// The vectors of one tenant and model in memory. A search computes the cosines of the vectors that pass the filter.
import { Best } from '../../searching/domain/best.js';
import type { FileVersion } from '../../text-index/indexed-text.domain.js';
import type { VectorHits, VectorQuery } from '../vector-index.port.js';
import { codedBytes } from '../vector-codes.domain.js';
import { CodeSegment, VECTORS_PER_SEGMENT } from './code-segment.domain.js';
import type { DotProducts } from './dot-products.domain.js';

/** A changed file, with its vectors. Removed files have no vectors. */
export interface ChangedFile extends FileVersion {
  facets: readonly string[];
  /** The vectors of the file's chunks, in order, as stored. Empty when they were removed. */
  codes: readonly Uint8Array[];
}

interface KnownFile extends FileVersion {
  readonly facets: readonly number[];
  /** The number of the first vector. The other vectors follow. */
  first: number;
  readonly vectors: number;
  isRemoved: boolean;
}

/** The set is rewritten when this share of its vectors is removed. */
const REMOVED_SHARE_MAX = 0.25;
/** What a file takes beside its vectors: the object, its id, and the entry in a map and a list. */
export const FILE_BYTES = 300;
/** A facet of a file: its number there, and the file in the list of the facet. */
const LINK_BYTES = 16;
/** A facet, its number and its list. */
const FACET_BYTES = 200;

export class CodeSet {
  private segments: CodeSegment[] = [];
  private files: KnownFile[] = [];
  private readonly filesById = new Map<string, KnownFile>();
  private facetNumbers = new Map<string, number>();
  /** The files with each facet, by the number of the facet, in order. */
  private filesWith: KnownFile[][] = [];
  private facetLinks = 0;
  private removedVectors = 0;
  private vectors = 0;

  constructor(
    private readonly dimensions: number,
    private readonly products: DotProducts,
  ) {}

  /** Memory in bytes. That of objects is an estimate. */
  get bytes(): number {
    const ofVectors = this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    return (
      ofVectors + this.files.length * FILE_BYTES + this.facetLinks * LINK_BYTES + this.facetNumbers.size * FACET_BYTES
    );
  }

  apply(changed: ChangedFile): void {
    this.remove(changed.fileId);
    if (changed.codes.length > 0) this.add(changed);
    if (this.removedVectors > this.vectors * REMOVED_SHARE_MAX) this.rewrite();
  }

  search({ vector, facets, limit, of }: VectorQuery): VectorHits {
    const files = this.passing(facets);
    const scores = this.scoresOf(files, vector);
    const best = new Best<{ file: KnownFile; index: number; score: number }>(limit);
    const add = (file: KnownFile, index: number, score = 0) => {
      if (best.admits(score)) best.add({ file, index, score });
    };
    let from = 0;
    for (const file of files) {
      const to = from + file.vectors;
      if (of === 'file') {
        let nearest = from;
        for (let at = from + 1; at < to; at++) if ((scores[at] ?? 0) > (scores[nearest] ?? 0)) nearest = at;
        add(file, nearest - from, scores[nearest]);
      } else {
        for (let at = from; at < to; at++) add(file, at - from, scores[at]);
      }
      from = to;
    }
    const hits = best.items.map(({ file: { fileId, jobNumber, fence }, ...hit }) => ({
      fileId,
      jobNumber,
      fence,
      ...hit,
    }));
    return { hits, files: files.length };
  }

  /** The files that have all facets, in order. */
  private passing(facets: readonly string[]): KnownFile[] {
    const wanted = facets.map((facet) => this.facetNumbers.get(facet) ?? -1);
    let files = this.files;
    for (const facet of wanted) {
      const others = this.filesWith[facet] ?? [];
      if (others.length < files.length) files = others;
    }
    return files.filter((file) => !file.isRemoved && wanted.every((facet) => file.facets.includes(facet)));
  }

  /** Computes the cosine of each vector of the files, in order. */
  private scoresOf(files: readonly KnownFile[], query: Float32Array): Float32Array {
    const { products } = this;
    const scores = new Float32Array(files.reduce((sum, { vectors }) => sum + vectors, 0));
    let [added, multiplied] = [0, 0];
    products.begin(query);
    for (const { segment, at, count } of this.rangesOf(files)) {
      for (let row = at; row < at + count;) {
        if (products.room === 0) multiplied = products.multiply(scores, multiplied);
        const rows = Math.min(at + count - row, products.room);
        products.add(segment.rowsOf(row, rows));
        scores.set(segment.scalesOf(row, rows), added);
        added += rows;
        row += rows;
      }
    }
    products.multiply(scores, multiplied);
    return scores;
  }

  /** Yields where the vectors of the files are, in order. Adjacent ranges are joined. */
  private *rangesOf(files: readonly KnownFile[]) {
    let [from, to] = [0, 0];
    for (const { first, vectors } of files) {
      if (first !== to) {
        yield* this.splitRange(from, to);
        from = first;
      }
      to = first + vectors;
    }
    yield* this.splitRange(from, to);
  }

  private *splitRange(from: number, to: number) {
    for (let number = from; number < to;) {
      const segment = this.segments[Math.floor(number / VECTORS_PER_SEGMENT)];
      if (!segment) throw new Error(`there is no vector ${number}`);
      const at = number % VECTORS_PER_SEGMENT;
      const count = Math.min(to - number, VECTORS_PER_SEGMENT - at);
      yield { segment, at, count };
      number += count;
    }
  }

  private add({ fileId, jobNumber, fence, facets, codes }: ChangedFile): void {
    const first = this.vectors;
    for (const part of codes) {
      for (let at = 0; at < part.byteLength; at += codedBytes(this.dimensions)) {
        this.lastSegment().add(new DataView(part.buffer, part.byteOffset + at, codedBytes(this.dimensions)));
        this.vectors++;
      }
    }
    const numbers = facets.map((facet) => this.facetNumber(facet));
    this.addFile({ fileId, jobNumber, fence, facets: numbers, first, vectors: this.vectors - first, isRemoved: false });
  }

  private remove(fileId: string): void {
    const file = this.filesById.get(fileId);
    if (!file) return;
    file.isRemoved = true;
    this.removedVectors += file.vectors;
    this.filesById.delete(fileId);
  }

  private addFile(file: KnownFile): void {
    this.files.push(file);
    this.filesById.set(file.fileId, file);
    this.facetLinks += file.facets.length;
    for (const facet of file.facets) (this.filesWith[facet] ??= []).push(file);
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

  /** Drops removed vectors, and facets that no file has any longer. Each segment is freed after it was copied. */
  private rewrite(): void {
    const facets = [...this.facetNumbers.keys()];
    const files = this.files.filter(({ isRemoved }) => !isRemoved);
    const ranges = [...this.rangesOf(files)].toReversed();
    [this.segments, this.files, this.filesWith] = [[], [], []];
    for (let range = ranges.pop(); range; range = ranges.pop()) {
      for (let row = 0; row < range.count; row++) this.lastSegment().copy(range.segment, range.at + row);
    }
    [this.vectors, this.removedVectors, this.facetLinks] = [0, 0, 0];
    this.facetNumbers = new Map();
    for (const file of files) {
      const numbers = file.facets.map((facet) => this.facetNumber(facets[facet] ?? ''));
      this.addFile({ ...file, facets: numbers, first: this.vectors });
      this.vectors += file.vectors;
    }
  }
}
