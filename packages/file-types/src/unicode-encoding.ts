/** Recognizes and decodes the encodings of Unicode other than UTF-8: by their byte order mark, or by where their zero bytes are. */

export type UnicodeEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** UTF-32LE comes before UTF-16LE, because its mark begins with the one of UTF-16LE. */
const byteOrderMarks: readonly { bytes: readonly number[]; encoding: 'utf-8' | UnicodeEncoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe, 0, 0], encoding: 'utf-32le' },
  { bytes: [0, 0, 0xfe, 0xff], encoding: 'utf-32be' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
/** The number of bytes in which text without a byte order mark is recognized. */
const guessBytes = 4096;
/** A fifth of all arbitrary pairs of bytes are one of these characters. Text contains none of them. */
// oxlint-disable-next-line no-control-regex -- they are what text does not contain
const notInText = /[\p{Cn}\p{Co}\p{Cs}\u0000-\u0008\u000E-\u001A\u001C-\u001F\u0080-\u0084\u0086-\u009F]/u;
/** Shorter data is no evidence. */
const utf16BytesMin = 6;
const codePointMax = 0x10ffff;

export function encodingOfByteOrderMark(bytes: Uint8Array): 'utf-8' | UnicodeEncoding | null {
  return byteOrderMarks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding ?? null;
}

/** The encoding of text without a byte order mark. Null for other text and for binary data. */
export function guessUnicode(bytes: Uint8Array): UnicodeEncoding | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, guessBytes) & ~3);
  const rest = bytes.subarray(0, Math.min(bytes.length, guessBytes) & ~1);
  return guessUtf32(sample) ?? guessUtf16(rest);
}

/** In UTF-32, the first byte of each character is zero, and the second one is at most 16. */
function guessUtf32(sample: Uint8Array): UnicodeEncoding | null {
  if (sample.length < 8) return null;
  for (const encoding of ['utf-32le', 'utf-32be'] as const) {
    const text = decodeUtf32(sample, encoding);
    if (!text.includes('\ufffd') && !notInText.test(text)) return encoding;
  }
  return null;
}

/**
 * In any script, line ends, spaces and digits have a zero in one of their two bytes. Text with zeros in both places, or
 * in neither, is not UTF-16.
 */
function guessUtf16(sample: Uint8Array): UnicodeEncoding | null {
  if (sample.length < utf16BytesMin) return null;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < sample.length; index += 2) {
    if (sample[index] === 0) evenZeros++;
    if (sample[index + 1] === 0) oddZeros++;
  }
  if (evenZeros === oddZeros) return null;
  const encoding = oddZeros > evenZeros ? 'utf-16le' : 'utf-16be';
  const pairs = sample.length / 2;
  if (Math.max(evenZeros, oddZeros) > pairs * 0.4 && Math.min(evenZeros, oddZeros) < pairs * 0.05)
    return strangersIn(decodeUtf16(sample, encoding)) < pairs * 0.05 ? encoding : null;
  if (isMostlyWords(sample)) return null;
  // The last character may be cut in half.
  return Math.min(evenZeros, oddZeros) === 0 && !notInText.test(decodeUtf16(sample, encoding).slice(0, -1))
    ? encoding
    : null;
}

/** The number of characters that no text contains. */
function strangersIn(text: string): number {
  return Array.from(text).filter((character) => notInText.test(character)).length;
}

/** Zero bytes between ASCII letters and spaces. Pairs of letters would be Chinese characters. */
function isMostlyWords(sample: Uint8Array): boolean {
  let letters = 0;
  let others = 0;
  for (const byte of sample) {
    if (byte > 0x7f) return false;
    if (byte === 0x20 || (byte >= 0x61 && byte <= 0x7a)) letters++;
    else if (byte !== 0) others++;
  }
  return letters * 3 > others * 2;
}

/** Invalid characters become U+FFFD. The byte order mark is removed. */
export function decodeUnicode(bytes: Uint8Array, encoding: UnicodeEncoding): string {
  const text =
    encoding === 'utf-32le' || encoding === 'utf-32be' ? decodeUtf32(bytes, encoding) : decodeUtf16(bytes, encoding);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function decodeUtf16(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

function decodeUtf32(bytes: Uint8Array, encoding: 'utf-32le' | 'utf-32be'): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, encoding === 'utf-32le');
    part += code > codePointMax || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
    if (part.length < 65_536) continue;
    parts.push(part);
    part = '';
  }
  return parts.join('') + part;
}
