// Up to 8,192 vectors: a row of codes and a scale for each.
import { SCALE_BYTES } from '../vector-codes.domain.js';
import { rowBytes } from './dot-products.domain.js';

export const VECTORS_PER_SEGMENT = 8_192;
/** A segment begins small: most tenants have few vectors. */
const VECTORS_MIN = 64;
const GROWTH = 2;

export class CodeSegment {
  length = 0;
  private scales = new Float32Array(VECTORS_MIN);
  private rows: Int8Array;
  private readonly stride: number;

  constructor(private readonly dimensions: number) {
    this.stride = rowBytes(dimensions);
    this.rows = new Int8Array(VECTORS_MIN * this.stride);
  }

  /** The bytes that so many vectors take. */
  static bytesOf(vectors: number, dimensions: number): number {
    return vectors * (Float32Array.BYTES_PER_ELEMENT + rowBytes(dimensions));
  }

  get bytes(): number {
    return CodeSegment.bytesOf(this.scales.length, this.dimensions);
  }

  get isFull(): boolean {
    return this.length === VECTORS_PER_SEGMENT;
  }

  /** `coded` is a vector as stored, see vector-codes.domain.ts. */
  add(coded: DataView): void {
    const numbers = new Int8Array(coded.buffer, coded.byteOffset + SCALE_BYTES, this.dimensions);
    this.append(coded.getFloat32(0, true), numbers);
  }

  /** Copies a vector of another segment. */
  copy(from: CodeSegment, at: number): void {
    this.append(from.scales[at] ?? 0, from.rowsOf(at, 1));
  }

  rowsOf(at: number, count: number): Int8Array {
    return this.rows.subarray(at * this.stride, (at + count) * this.stride);
  }

  scalesOf(at: number, count: number): Float32Array {
    return this.scales.subarray(at, at + count);
  }

  private append(scale: number, row: Int8Array): void {
    if (this.length === this.scales.length) this.grow();
    this.scales[this.length] = scale;
    this.rows.set(row, this.length * this.stride);
    this.length++;
  }

  private grow(): void {
    const { scales, rows } = this;
    this.scales = new Float32Array(scales.length * GROWTH);
    this.scales.set(scales);
    this.rows = new Int8Array(rows.length * GROWTH);
    this.rows.set(rows);
  }
}
