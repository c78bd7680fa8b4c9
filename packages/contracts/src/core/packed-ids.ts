// Many ids in one message: the 16 bytes of each uuid, together in base64. A TypeID takes half as much again, and its pattern has to be
// checked for each.
import { z } from 'zod';

const ID_BYTES = 16;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The characters of so many packed ids. */
export const packedLength = (ids: number): number => Math.ceil((ids * ID_BYTES) / 3) * 4;

/** `idsMax`: how many ids there can be. */
export const packedIdsSchema = (idsMax: number) =>
  z
    .string()
    .max(packedLength(idsMax))
    .regex(BASE64)
    .refine((packed) => Buffer.byteLength(packed, 'base64') % ID_BYTES === 0, { error: 'must be whole ids' });

/** Lower-case UUIDs. */
export const packIds = (uuids: readonly string[]): string =>
  Buffer.from(uuids.join('').replaceAll('-', ''), 'hex').toString('base64');

/** The ids of both. */
export function joinPackedIds(left: string, right: string): string {
  if (left === '' || right === '') return left + right;
  return Buffer.concat([Buffer.from(left, 'base64'), Buffer.from(right, 'base64')]).toString('base64');
}

export function unpackIds(packed: string): string[] {
  const digits = Buffer.from(packed, 'base64').toString('hex');
  const uuids: string[] = [];
  for (let at = 0; at < digits.length; at += 2 * ID_BYTES) {
    const part = (from: number, to: number) => digits.slice(at + from, at + to);
    uuids.push(`${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`);
  }
  return uuids;
}
