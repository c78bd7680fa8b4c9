// How vectors are stored. A vector has length 1, so that the dot product of two is their cosine. A coded vector takes one byte for each
// number: a Float32 scale, little-endian, then the numbers divided by the scale and rounded, as Int8.
import { badRequest, type ChunkLine } from '@kiln/contracts';

const FLOAT_BYTES = 4;
export const SCALE_BYTES = 4;
const CODE_MAX = 127;

export const codedBytes = (dimensions: number): number => SCALE_BYTES + dimensions;
export const vectorBytes = (dimensions: number): number => FLOAT_BYTES * dimensions;

/** Vectors of consecutive chunks, as stored in one row. */
interface VectorPart {
  firstIndex: number;
  vectors: Buffer;
  codes: Buffer;
}

/** A row is small enough to be read in batches, and large enough that the number of rows does not matter. */
const CODE_BYTES_MAX = 65_536;

/** Throws BAD_REQUEST when a chunk has no vector of this length. */
export function vectorParts(chunks: readonly ChunkLine[], dimensions: number): VectorPart[] {
  const perPart = Math.max(1, Math.floor(CODE_BYTES_MAX / codedBytes(dimensions)));
  const parts: VectorPart[] = [];
  for (let at = 0; at < chunks.length; at += perPart) parts.push(partOf(chunks.slice(at, at + perPart), dimensions));
  return parts;
}

function partOf(chunks: readonly ChunkLine[], dimensions: number): VectorPart {
  const vectors = Buffer.alloc(chunks.length * vectorBytes(dimensions));
  const codes = Buffer.alloc(chunks.length * codedBytes(dimensions));
  for (const [at, { index, vector }] of chunks.entries()) {
    const unit = unitVector(decodeVector(vector ?? '', dimensions, index));
    for (const [place, value] of unit.entries()) {
      vectors.writeFloatLE(value, at * vectorBytes(dimensions) + place * FLOAT_BYTES);
    }
    encode(unit, codes, at * codedBytes(dimensions));
  }
  return { firstIndex: chunks[0]?.index ?? 0, vectors, codes };
}

/** Reads a vector from a chunk of the call: base64 of Float32, little-endian. */
function decodeVector(text: string, dimensions: number, index: number): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== vectorBytes(dimensions)) {
    throw badRequest(`chunks: the vector of chunk ${index} has ${bytes.length} bytes, not ${vectorBytes(dimensions)}`);
  }
  const vector = readVector(bytes);
  if (!vector.every(Number.isFinite)) throw badRequest(`chunks: the vector of chunk ${index} is not finite`);
  return vector;
}

/** Numbers that are stored one after the other. */
export function readVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / FLOAT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let place = 0; place < vector.length; place++) vector[place] = view.getFloat32(place * FLOAT_BYTES, true);
  return vector;
}

/** Returns a vector of the same direction with length 1. A vector of zeros has no direction and stays unchanged. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function encode(unit: Float32Array, into: Buffer, at: number): void {
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  const scale = largest / CODE_MAX;
  into.writeFloatLE(scale, at);
  for (const [place, value] of unit.entries()) {
    into.writeInt8(scale === 0 ? 0 : Math.round(value / scale), at + SCALE_BYTES + place);
  }
}

/** The dot product with the vector of a code. It differs from that with the stored vector by less than 0.002. */
export function dotProductWithCode(vector: Float32Array, code: Buffer): number {
  let sum = 0;
  for (let place = 0; place < vector.length; place++) sum += (vector[place] ?? 0) * code.readInt8(SCALE_BYTES + place);
  return sum * code.readFloatLE(0);
}

export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < left.length; place++) sum += (left[place] ?? 0) * (right[place] ?? 0);
  return sum;
}
