// TypeIDs (https://github.com/jetify-com/typeid, spec 0.3): `<prefix>_<26 characters of Crockford base32 over a UUIDv7>`.
// Databases store the uuid; the prefix lives at the edge only, so an id of one kind can never pass for another.
import { z } from 'zod';

export const idPrefixes = {
  organization: 'org',
  file: 'file',
  job: 'job',
  batch: 'batch',
  variant: 'var',
  connection: 'conn',
  node: 'node',
  sync: 'sync',
  webhook: 'wh',
  event: 'evt',
  delivery: 'dlv',
  key: 'key',
  portalToken: 'ptk',
  log: 'log',
  rule: 'rule',
} as const;

export type IdKind = keyof typeof idPrefixes;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SUFFIX_LENGTH = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `uuid` as a TypeID of `kind`. Throws a RangeError when `uuid` is not a lower-case UUID: that is a bug, not input. */
export function encodeId(kind: IdKind, uuid: string): string {
  if (!UUID.test(uuid)) throw new RangeError(`not a uuid: ${uuid}`);
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let suffix = '';
  for (let position = 0; position < SUFFIX_LENGTH; position++) {
    suffix = ALPHABET[Number(rest & 31n)] + suffix;
    rest >>= 5n;
  }
  return `${idPrefixes[kind]}_${suffix}`;
}

/** The uuid inside a TypeID, or null when `id` is malformed or of another kind. */
export function decodeId(kind: IdKind, id: string): string | null {
  const prefix = `${idPrefixes[kind]}_`;
  if (!id.startsWith(prefix) || id.length !== prefix.length + SUFFIX_LENGTH) return null;
  let value = 0n;
  for (const character of id.slice(prefix.length)) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = (value << 5n) | BigInt(digit);
  }
  if (value >> 128n !== 0n) return null;
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A schema that takes a TypeID of `kind` and keeps it as text. Use `uuidOf` where the uuid itself is needed. */
export function idSchema(kind: IdKind) {
  // 26 characters hold 130 bits: a first one above 7 would be more than a uuid.
  const pattern = new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
  return z
    .string()
    .regex(pattern, { error: `must be an id that starts with ${idPrefixes[kind]}_` })
    .meta({ examples: [encodeId(kind, '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10')] });
}

/** The uuid of an id that a schema has already accepted. */
export function uuidOf(kind: IdKind, id: string): string {
  const uuid = decodeId(kind, id);
  if (uuid === null) throw new RangeError(`not an id of kind ${kind}`);
  return uuid;
}
