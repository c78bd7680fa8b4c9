/** A shorter file is known as a whole. */
const WHOLE_BYTES_MAX = 4_100;
export const notebookType = 'application/x-ipynb+json';

/** JSON, or a Jupyter notebook. Null for other text. */
export function jsonType(text: string, sizeBytes: number): string | null {
  if (!isJson(text, sizeBytes)) return null;
  return /"cells"\s*:\s*\[\s*\{/.test(text) && text.includes('"cell_type"') ? notebookType : 'application/json';
}

/** Whether a short text, or the beginning of a long one, is JSON. JSON Lines do not count. */
function isJson(text: string, sizeBytes: number): boolean {
  if (sizeBytes < WHOLE_BYTES_MAX) return /^[{[]/.test(text) && parses(text);
  return /^(?:\[\s*)?\{\s*"[^"\\]*"\s*:/.test(text) && !parses(text.split('\n', 1)[0] ?? '');
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
