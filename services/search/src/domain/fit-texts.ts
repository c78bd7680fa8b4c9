// Keeps an answer within what the bus carries (1 MB a message): chunks are at most 8,000 characters, and 200 of those in a
// script of three bytes would be five times too much. Chunks of the default size always fit whole.
import { PAGE_BYTES_MAX } from '@kiln/contracts';

/** Of the texts of an answer, while its other fields leave them that much. */
const TEXT_BYTES_MAX = 550_000;
/** An id, a score and the names of the fields. */
const REST_OF_RESULT_BYTES = 150;

const jsonBytes = (text: unknown) => Buffer.byteLength(JSON.stringify(text));

function cut(text: string, bytesMax: number): string {
  let end = text.length;
  while (jsonBytes(text.slice(0, end)) > bytesMax) end = Math.floor(end * 0.8);
  // Not between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? text.slice(0, end - 1) : text.slice(0, end);
}

/** The texts unchanged when they fit beside the snippets; else those longer than an even share are cut to it. */
export function fitTexts(texts: readonly string[], snippets: readonly string[]): string[] {
  const left = PAGE_BYTES_MAX - jsonBytes(snippets) - texts.length * REST_OF_RESULT_BYTES;
  const bytesMax = Math.min(TEXT_BYTES_MAX, left);
  const total = texts.reduce((sum, text) => sum + jsonBytes(text), 0);
  if (total <= bytesMax) return [...texts];
  const share = Math.floor(bytesMax / texts.length);
  return texts.map((text) => cut(text, share));
}
