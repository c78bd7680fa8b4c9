// The filename for a node. Bucket keys allow characters that filenames do not.
const FILENAME_BYTES_MAX = 255;
/** Characters of the extension that are kept when a name is cut. */
const EXTENSION_BYTES_MAX = 32;

// eslint-disable-next-line no-control-regex -- control characters are what it replaces
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029/\\]/gu;

export function filenameOf(nodeName: string): string {
  const name = nodeName.toWellFormed().replaceAll(FORBIDDEN, '_');
  if (name === '' || name === '.' || name === '..') return '_';
  if (Buffer.byteLength(name) <= FILENAME_BYTES_MAX) return name;
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const kept = Buffer.byteLength(extension) <= EXTENSION_BYTES_MAX ? extension : '';
  return cut(name, FILENAME_BYTES_MAX - Buffer.byteLength(kept)) + kept;
}

/** Cuts the text to whole characters. */
function cut(text: string, bytesMax: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    end += character.length;
  }
  return text.slice(0, end);
}
