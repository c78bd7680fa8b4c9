/** Below that the beginning is the whole file. */
const WHOLE_BYTES_MAX = 4_100;
export const notebookType = 'application/x-ipynb+json';

/** JSON, or a Jupyter notebook. Null for other text. */
export function jsonType(text: string, sizeBytes: number): string | null {
  if (!isJson(text, sizeBytes)) return null;
  return /"cells"\s*:\s*\[\s*\{/.test(text) && text.includes('"cell_type"') ? notebookType : 'application/json';
}

/** The whole of a short text, or the beginning of a long one. Lines of JSON are no JSON. */
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
