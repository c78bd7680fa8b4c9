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
  extraction: 'ext',
} as const;

export type IdKind = keyof typeof idPrefixes;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SUFFIX_LENGTH = 26;
/** Any two digits: what ten bits look like. */
const PAIRS = ALPHABET.split('').flatMap((first) => ALPHABET.split('').map((second) => first + second));
/** The value of each digit, by its character code. */
const DIGITS = new Map(ALPHABET.split('').map((digit, value) => [digit.charCodeAt(0), value]));
/** Any byte in hexadecimal. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** A first digit above 7 would be more than a uuid: 26 digits hold 130 bits. */
const FIRST_DIGIT_MAX = 7;
/** Characters of a uuid that a hyphen follows. */
const BEFORE_HYPHEN = new Set([8, 13, 18, 23]);
const HYPHEN = 45;
const DIGIT_0 = 48;
const LETTER_A = 97;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `uuid` as a TypeID of `kind`. Throws a RangeError when `uuid` is not a lower-case UUID: that is a bug, not input. */
export function encodeId(kind: IdKind, uuid: string): string {
  if (!UUID.test(uuid)) throw new RangeError(`not a uuid: ${uuid}`);
  let id = `${idPrefixes[kind]}_`;
  // Two digits for every ten bits; the 128 bits of the uuid stand behind two zeros.
  let pending = 0;
  let bits = 2;
  for (let position = 0; position < uuid.length; position++) {
    const code = uuid.charCodeAt(position);
    if (code === HYPHEN) continue;
    pending = (pending << 4) | (code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10);
    bits += 4;
    if (bits < 10) continue;
    bits -= 10;
    id += PAIRS[pending >> bits];
    pending &= (1 << bits) - 1;
  }
  return id;
}

/** The uuid inside a TypeID, or null when `id` is malformed or of another kind. */
export function decodeId(kind: IdKind, id: string): string | null {
  const prefix = `${idPrefixes[kind]}_`;
  if (!id.startsWith(prefix) || id.length !== prefix.length + SUFFIX_LENGTH) return null;
  let uuid = '';
  // A byte for every eight bits; the first two of the 130 are zeros.
  let pending = 0;
  let bits = -2;
  for (let position = prefix.length; position < id.length; position++) {
    const digit = DIGITS.get(id.charCodeAt(position));
    if (digit === undefined || (bits < 0 && digit > FIRST_DIGIT_MAX)) return null;
    pending = (pending << 5) | digit;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    uuid += BYTES[pending >> bits];
    pending &= (1 << bits) - 1;
    if (BEFORE_HYPHEN.has(uuid.length)) uuid += '-';
  }
  return uuid;
}

/** A schema that accepts a TypeID of `kind` as text. Use `uuidOf` to get the uuid. */
export function idSchema(kind: IdKind) {
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
