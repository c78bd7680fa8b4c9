// Cosines of one query with many coded vectors. Batches of rows are copied into the memory of a WebAssembly module. A batch fits into the
// processor's cache, and all sets of a process share this memory.
import { openDotProductModule, type DotProductModule } from './dot-product-module.domain.js';

const PAGE_BYTES = 65_536;
/** The module reads rows in parts of this many numbers. */
const PART = 16;
const DIMENSIONS_MAX = 8_192;
const QUERY_BYTES = 2 * DIMENSIONS_MAX;
const ROWS_BYTES = 4 * PAGE_BYTES;
const PRODUCTS_AT = QUERY_BYTES;
const ROWS_AT = PRODUCTS_AT + 4 * (ROWS_BYTES / PART);
const CODE_MAX = 127;
const QUERY_MAX = 32_767;
const PRODUCT_MAX = 2 ** 31 - 1;

/** The bytes of a row: one for each number, padded with zeros. */
export const rowBytes = (dimensions: number): number => Math.ceil(dimensions / PART) * PART;

export class DotProducts {
  private readonly module: DotProductModule;
  private readonly query: Int16Array;
  private readonly products: Int32Array;
  private readonly rows: Int8Array;
  private queryScale = 0;
  private stride = 0;
  private count = 0;

  constructor() {
    const pages = Math.ceil((ROWS_AT + ROWS_BYTES) / PAGE_BYTES);
    this.module = openDotProductModule(pages);
    const { buffer } = this.module.memory;
    this.query = new Int16Array(buffer, 0, DIMENSIONS_MAX);
    this.products = new Int32Array(buffer, PRODUCTS_AT, ROWS_BYTES / PART);
    this.rows = new Int8Array(buffer, ROWS_AT, ROWS_BYTES);
  }

  /** Begins with a query, of length 1. Its numbers are rounded so that the sum of all products cannot exceed 32 bits. */
  begin(query: Float32Array): void {
    const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const codeMax = Math.min(QUERY_MAX, Math.floor(PRODUCT_MAX / (CODE_MAX * query.length)));
    this.queryScale = largest / codeMax;
    this.query.fill(0);
    for (const [place, value] of query.entries()) {
      this.query[place] = largest === 0 ? 0 : Math.round(value / this.queryScale);
    }
    this.stride = rowBytes(query.length);
    this.count = 0;
  }

  /** How many rows can be added before their products are read. */
  get room(): number {
    return Math.floor(ROWS_BYTES / this.stride) - this.count;
  }

  add(rows: Int8Array): void {
    this.rows.set(rows, this.count * this.stride);
    this.count += rows.length / this.stride;
  }

  /**
   * Multiplies the scales of the added rows by their products, from `at` on. The results are cosines. Returns the position after the last
   * one.
   */
  multiply(scales: Float32Array, at: number): number {
    const { count, stride, queryScale, products } = this;
    if (count > 0) this.module.multiply(0, 2 * stride, ROWS_AT, count, PRODUCTS_AT);
    for (let row = 0; row < count; row++)
      scales[at + row] = (scales[at + row] ?? 0) * (products[row] ?? 0) * queryScale;
    this.count = 0;
    return at + count;
  }
}
