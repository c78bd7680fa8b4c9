// Truncates the texts of a response so that it fits into a message of the bus (1 MB). 200 chunks of 8,000 characters with three bytes each
// would exceed that five times. Chunks of the default size are never truncated.
import { PAGE_BYTES_MAX } from '@kiln/contracts';

/** The maximum bytes of all texts of a response. When other fields need the space, the texts get less. */
const TEXT_BYTES_MAX = 550_000;
/** The names of the text fields of a result, and the punctuation around it. */
const NAMES_BYTES = 80;
/** The longest JSON encoding of a UTF-16 code unit: `\u0000`. */
const UNIT_BYTES_MAX = 6;

export const jsonBytes = (text: unknown) => Buffer.byteLength(JSON.stringify(text));

function cut(text: string, bytesMax: number): string {
  let end = text.length;
  while (end > 0 && jsonBytes(text.slice(0, end)) > bytesMax) end = Math.floor(end * 0.8);
  // Never split a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? text.slice(0, end - 1) : text.slice(0, end);
}

/** A fast check that most responses pass: it does not encode the texts. */
function surelyFit(texts: readonly string[], bytesMax: number): boolean {
  const units = texts.reduce((sum, { length }) => sum + length, 0);
  return units * UNIT_BYTES_MAX <= bytesMax;
}

/** The text fields of a result. */
interface FittedText {
  chunk_text: string;
  chunk_text_truncated: boolean;
}

/** Returns the texts unchanged when they fit together with the other fields. Otherwise truncates each text to an equal share. */
export function fitTexts(texts: readonly string[], otherFields: readonly unknown[]): FittedText[] {
  const left = PAGE_BYTES_MAX - jsonBytes(otherFields) - texts.length * NAMES_BYTES;
  const fitted = fit(texts, Math.min(TEXT_BYTES_MAX, left));
  return fitted.map((text, at) => ({ chunk_text: text, chunk_text_truncated: text !== texts[at] }));
}

function fit(texts: readonly string[], bytesMax: number): readonly string[] {
  if (surelyFit(texts, bytesMax)) return texts;
  const total = texts.reduce((sum, text) => sum + jsonBytes(text), 0);
  if (total <= bytesMax) return texts;
  const share = Math.floor(bytesMax / texts.length);
  return texts.map((text) => cut(text, share));
}
