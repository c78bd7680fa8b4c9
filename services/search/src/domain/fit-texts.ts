// Keeps an answer within what the bus carries (1 MB a message): chunks are at most 8,000 characters, and 200 of those in a
// script of three bytes would be five times too much. Chunks of the default size always fit whole.

/** Leaves room for snippets and ids. */
const TEXT_BYTES_MAX = 550_000;

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));

function cut(text: string, bytesMax: number): string {
  let end = text.length;
  while (jsonBytes(text.slice(0, end)) > bytesMax) end = Math.floor(end * 0.8);
  // Not between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? text.slice(0, end - 1) : text.slice(0, end);
}

/** The texts unchanged when they fit together; else those longer than an even share are cut to it. */
export function fitTexts(texts: readonly string[]): string[] {
  const total = texts.reduce((sum, text) => sum + jsonBytes(text), 0);
  if (total <= TEXT_BYTES_MAX) return [...texts];
  const share = Math.floor(TEXT_BYTES_MAX / texts.length);
  return texts.map((text) => cut(text, share));
}
