// S3 orders keys by UTF-8 bytes, and JavaScript orders strings by UTF-16 code units. So the store represents a key as a "byte string": one
// character (U+0000..U+00FF) per UTF-8 byte. Then `<`, startsWith and slice work as in S3.

export type ByteString = string;

export const toByteString = (text: string): ByteString => Buffer.from(text, 'utf8').toString('latin1');

export const fromByteString = (bytes: ByteString): string => Buffer.from(bytes, 'latin1').toString('utf8');

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Percent-encodes as SigV4 and `encoding-type=url` require. The characters in `keep` are not encoded. */
export function percentEncode(bytes: ByteString, keep = ''): string {
  let encoded = '';
  for (const character of bytes) {
    const bare = UNRESERVED.test(character) || keep.includes(character);
    encoded += bare ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The inverse. A `%` that does not begin an escape is kept. The input has one code unit per byte, as in Node's URLs. */
export const percentDecode = (encoded: string): ByteString =>
  encoded.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** True when the bytes are valid UTF-8, so that they can be converted to text and back without loss. */
export const isUtf8 = (bytes: ByteString): boolean => toByteString(fromByteString(bytes)) === bytes;
