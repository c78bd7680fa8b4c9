// Reads a range of a text variant, wherever its content is: in the row, or in the object store.
import { badRequest, CodedError, filesOperations, type CallContext, type OperationOutput } from '@kiln/contracts';
import type { GatewayServices } from '../services.port.js';
import { readObject } from '../variants/variant-content.service.js';
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
  { start, end }: { start: number; end: number },
  { store }: Services,
): Promise<Buffer> {
  if (key === null) return Buffer.from(content ?? '').subarray(start, end);
  const bytes = await readObject(store, key, { range: { start, end: end - 1 } });
  if (bytes !== null) return bytes;
  throw new CodedError('CONFLICT', 'The variant was replaced meanwhile. Read it again from the beginning.');
}
