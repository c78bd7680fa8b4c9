/**
 * Decodes text of an unknown character set. Uses the byte order mark, then a hint, then the bytes. The result is always
 * well-formed, has `\n` as line end, and no control characters (databases refuse NUL).
 */
export interface DecodedText {
  text: string;
  encoding: string;
}

const byteOrderMarks: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
/** The number of bytes that are examined to recognize UTF-16 without a byte order mark. */
const guessBytes = 4096;

export function encodingOfByteOrderMark(bytes: Uint8Array): string | null {
  return byteOrderMarks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding ?? null;
}

/** In UTF-16, most Western text has a zero in every second byte, and almost none in the others. */
export function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, guessBytes) & ~1;
  if (length < 4) return null;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) evenZeros++;
    if (bytes[index + 1] === 0) oddZeros++;
  }
  const pairs = length / 2;
  if (oddZeros > pairs * 0.4 && evenZeros < pairs * 0.05) return 'utf-16le';
  if (evenZeros > pairs * 0.4 && oddZeros < pairs * 0.05) return 'utf-16be';
  return null;
}

export function decodeText(bytes: Uint8Array, hint: string | null = null): DecodedText {
  const marked = encodingOfByteOrderMark(bytes) ?? guessUtf16(bytes);
  const decoded = marked === null ? decodeUnmarked(bytes, hint) : decodeAs(bytes, marked, false);
  return { encoding: decoded.encoding, text: cleanText(decoded.text) };
}

function decodeUnmarked(bytes: Uint8Array, hint: string | null): DecodedText {
  // UTF-8 comes first, because hints are often wrong (pages that declare latin1 and are UTF-8), and other text is rarely valid UTF-8.
  const candidates = hint === null || hint === 'utf-8' ? ['utf-8'] : ['utf-8', hint];
  for (const encoding of candidates) {
    try {
      return decodeAs(bytes, encoding, true);
    } catch {
      // Not this character set.
    }
  }
  return decodeAs(bytes, 'windows-1252', false);
}

function decodeAs(bytes: Uint8Array, encoding: string, fatal: boolean): DecodedText {
  const decoder = new TextDecoder(encoding, { fatal });
  return { encoding: decoder.encoding, text: decoder.decode(bytes) };
}

// oxlint-disable-next-line no-control-regex -- removing them is the point
const controls = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

/** Normalizes line ends, removes control characters, and replaces lone surrogates. */
export function cleanText(text: string): string {
  const unified = text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/\f/g, '\n')
    .replace(controls, '');
  return unified.isWellFormed() ? unified : unified.toWellFormed();
}
