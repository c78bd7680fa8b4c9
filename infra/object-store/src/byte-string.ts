// S3 orders keys by their UTF-8 bytes, JavaScript orders strings by UTF-16 units. Inside the store a key is a "byte
// string": one character (U+0000..U+00FF) per UTF-8 byte, so that `<`, startsWith and slice mean what S3 means.

export type ByteString = string;

export const toByteString = (text: string): ByteString => Buffer.from(text, 'utf8').toString('latin1');

export const fromByteString = (bytes: ByteString): string => Buffer.from(bytes, 'latin1').toString('utf8');

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Percent-encoding as SigV4 and `encoding-type=url` want it; the characters in `keep` stay bare. */
export function percentEncode(bytes: ByteString, keep = ''): string {
  let encoded = '';
  for (const character of bytes) {
    const bare = UNRESERVED.test(character) || keep.includes(character);
    encoded += bare ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The inverse; a `%` that starts no escape stays as it is. Input is what Node gives for a URL: one unit per byte. */
export const percentDecode = (encoded: string): ByteString =>
  encoded.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** True when the bytes are the UTF-8 form of some text, so that text and bytes map to each other without loss. */
export const isUtf8 = (bytes: ByteString): boolean => toByteString(fromByteString(bytes)) === bytes;
