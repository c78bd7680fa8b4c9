// Computes the sizes of the parts of a file, and checks the stored parts against them.
import { badRequest, conflict, PART_BYTES_DEFAULT, PARTS_MAX } from '@kiln/contracts';
import type { StoredPart } from '@kiln/storage';

export interface Cut {
  size_bytes: number;
  part_bytes: number;
}

const MEBIBYTE = 1024 * 1024;

export const partCountOf = ({ size_bytes: size, part_bytes: part }: Cut): number => Math.ceil(size / part);

/** The last part has the rest of the bytes. */
export function partSizeOf(cut: Cut, partNumber: number): number {
  return Math.min(cut.part_bytes, cut.size_bytes - (partNumber - 1) * cut.part_bytes);
}

/** Throws BAD_REQUEST when the file would have too many parts of this size. */
export function partBytesOf(sizeBytes: number, asked: number | undefined): number {
  const least = Math.ceil(sizeBytes / PARTS_MAX / MEBIBYTE) * MEBIBYTE;
  if (asked === undefined) return Math.max(PART_BYTES_DEFAULT, least);
  if (partCountOf({ size_bytes: sizeBytes, part_bytes: asked }) <= PARTS_MAX) return asked;
  throw badRequest(`part_bytes: the file would have more than ${PARTS_MAX} parts. Use at least ${least}.`);
}

/** Returns the parts of the file, or throws CONFLICT, which names the first part that is missing or wrong. */
export function wholeParts(
  cut: Cut,
  stored: readonly StoredPart[],
  expected: readonly { part_number: number; etag: string }[],
): StoredPart[] {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const etags = new Map(expected.map(({ part_number: number, etag }) => [number, etag.replaceAll('"', '')]));
  const count = partCountOf(cut);
  const unknown = [...etags.keys()].find((number) => number > count);
  if (unknown !== undefined)
    throw badRequest(`parts: the upload has ${count} parts, so part ${unknown} does not exist.`);
  return Array.from({ length: count }, (_, at) => {
    const [number, size] = [at + 1, partSizeOf(cut, at + 1)];
    const part = byNumber.get(number);
    if (!part)
      throw conflict(
        `Part ${number} is missing: ${storedCount(count, byNumber)}. Send it, and complete the upload again.`,
      );
    if (part.sizeBytes !== size)
      throw conflict(`Part ${number} has ${part.sizeBytes} bytes instead of ${size}. Send it again.`);
    const etag = etags.get(number);
    if (etag !== undefined && part.etag !== null && part.etag !== etag) {
      throw conflict(`Part ${number} was replaced: it has another etag than the one in the request. Send it again.`);
    }
    return part;
  });
}

function storedCount(count: number, byNumber: ReadonlyMap<number, StoredPart>): string {
  const found = [...byNumber.keys()].filter((number) => number <= count).length;
  return `${found} of ${count} parts are stored`;
}
