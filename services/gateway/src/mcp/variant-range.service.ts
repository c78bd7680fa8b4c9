// Reads a range of a text variant, wherever its content is: in the row, or in the object store.
import {
  badRequest,
  CodedError,
  filesOperations,
  unavailable,
  type CallContext,
  type OperationOutput,
} from '@kiln/contracts';
import { StorageError, type ObjectStore } from '@kiln/storage';
import type { GatewayServices } from '../services.port.js';
import { wholeCharacters } from './tool-text.domain.js';

type Variant = OperationOutput<typeof filesOperations.getVariant>;
type Services = Pick<GatewayServices, 'rpc' | 'store'>;

export const textVariants = ['markdown', 'metadata'] as const;

export interface VariantRange {
  file_id: string;
  variant: (typeof textVariants)[number];
  /** In bytes of UTF-8. */
  offset: number;
  bytesMax: number;
}

export interface RangeText {
  text: string;
  sizeBytes: number;
  /** Where the next range begins; null at the end. */
  nextOffset: number | null;
}

/** Throws NOT_FOUND, BAD_REQUEST when the variant ends before the offset, CONFLICT when it was replaced meanwhile, or UNAVAILABLE. */
export async function readVariantRange(
  { file_id, variant, offset, bytesMax }: VariantRange,
  context: CallContext,
  services: Services,
): Promise<RangeText> {
  const found = await services.rpc.call(filesOperations.getVariant, { file_id, type: variant }, context);
  const { size_bytes: sizeBytes } = found;
  if (offset > sizeBytes) throw badRequest(`offset is beyond the end: the variant has ${sizeBytes} bytes.`);
  const range = { start: offset, end: Math.min(sizeBytes, offset + bytesMax) };
  const bytes = wholeCharacters(range.start === range.end ? Buffer.alloc(0) : await bytesOf(found, range, services));
  const end = offset + bytes.length;
  return { text: bytes.toString('utf8'), sizeBytes, nextOffset: end < sizeBytes ? Math.max(end, offset + 1) : null };
}

async function bytesOf(
  { content_key: key, content }: Variant,
  range: { start: number; end: number },
  { store }: Services,
): Promise<Buffer> {
  if (key === null) return Buffer.from(content ?? '').subarray(range.start, range.end);
  return readObject(store, key, range);
}

async function readObject(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  { start, end }: { start: number; end: number },
): Promise<Buffer> {
  try {
    const { body } = await store.get(key, { range: { start, end: end - 1 } });
    return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') {
      throw new CodedError('CONFLICT', 'The variant was replaced meanwhile. Read it again from the beginning.');
    }
    throw unavailable('The object store', error);
  }
}
