/**
 * Decodes text of unknown character set: by the byte order mark, then by a hint, then by the bytes.
 * The result is well-formed, has `\n` line ends and no control characters (a database refuses NUL), whatever came in.
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
/** Bytes looked at when guessing UTF-16 without a mark. */
const guessBytes = 4096;

export function encodingOfByteOrderMark(bytes: Uint8Array): string | null {
  return byteOrderMarks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding ?? null;
}

/** UTF-16 text in a western script has a zero in every second byte, and almost none in the others. */
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
  // A wrong hint is common (pages that claim latin1 and are UTF-8): valid UTF-8 is almost never anything else.
  const candidates = hint === null || hint === 'utf-8' ? ['utf-8'] : ['utf-8', hint];
  for (const encoding of candidates) {
    try {
      return decodeAs(bytes, encoding, true);
    } catch {
      // Not that one.
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

/** Normalises line ends, drops control characters, repairs lone surrogates. */
export function cleanText(text: string): string {
  const unified = text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/\f/g, '\n')
    .replace(controls, '');
  return unified.isWellFormed() ? unified : unified.toWellFormed();
}
