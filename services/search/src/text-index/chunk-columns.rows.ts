// Chunks as columns for a statement that inserts them.
import type { ChunkLine } from '@kiln/contracts';
import { numberArray, textArray } from '../array-literal.rows.js';

/**
 * Arrays with one element per chunk: index, body, start, end, page, heading path (as JSON, because arrays of arrays must be rectangular), lines (as
 * text, for the same reason).
 */
export const chunkColumns = (chunks: readonly ChunkLine[]) => [
  numberArray(chunks.map((chunk) => chunk.index)),
  textArray(chunks.map((chunk) => chunk.text)),
  numberArray(chunks.map((chunk) => chunk.start)),
  numberArray(chunks.map((chunk) => chunk.end)),
  numberArray(chunks.map((chunk) => chunk.page)),
  textArray(chunks.map((chunk) => JSON.stringify(chunk.heading_path))),
  textArray(chunks.map(({ lines = [] }) => numberArray(lines))),
];
