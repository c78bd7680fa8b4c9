// Signed uuids as text, for the path of a URL.
import type { Signer } from './signer.js';

/** The purpose of the ids in the callback URL of an extraction: tenant, job, extraction. Workers sign them, and the gateway opens them. */
export const EXTRACTION_CALLBACK = 'extraction callback';

const UUID_BYTES = 16;

/** Base64url. */
export const signIds = (signer: Signer, uuids: readonly string[]): string =>
  signer.sign(Buffer.from(uuids.join('').replaceAll('-', ''), 'hex')).toString('base64url');

/** The uuids. Null if the text was not signed for this purpose, or for another number of uuids. */
export function openIds(signer: Signer, text: string, count: number): string[] | null {
  const signed = Buffer.from(text, 'base64url');
  // Decoding skips characters that are not base64, so only the exact text that was issued is accepted.
  if (signed.toString('base64url') !== text) return null;
  const message = signer.verify(signed);
  if (message?.length !== count * UUID_BYTES) return null;
  return Array.from({ length: count }, (_, at) => uuidAt(message, at));
}

/** The uuid at this place of a message of uuids. */
export function uuidAt(message: Buffer, index: number): string {
  const digits = message.toString('hex', index * UUID_BYTES, (index + 1) * UUID_BYTES);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
