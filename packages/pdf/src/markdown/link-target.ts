/** The allowed schemes of links. Others (`javascript:`, `data:` …) run or embed untrusted content. */
const schemes = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'ftps', 'sftp', 'news', 'geo', 'doi', 'urn']);
const scheme = /^([a-z][a-z0-9+.-]*):/i;
// oxlint-disable-next-line no-control-regex -- browsers drop them before they look for a scheme
const ignored = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\uFEFF]/g;
const unsafe = /[\s()<>"\\`|[\]]/gu;

/** Escapes an address as the target of a markdown link or image. Null if its scheme is not allowed. */
export function linkTarget(address: string): string | null {
  const cleaned = address.replace(ignored, '').trim().toWellFormed();
  const stated = scheme.exec(cleaned.slice(0, 100))?.[1];
  // A parser may read a scheme before a colon that precedes the first slash.
  const beginning = /^[^/?#]*/.exec(cleaned)?.[0] ?? '';
  if (cleaned === '' || (stated === undefined ? beginning.includes(':') : !isSafeScheme(stated))) return null;
  return cleaned.replace(unsafe, percentEncode).replace(/&(?=#?[0-9a-z]{1,40};)/gi, '&amp;');
}

export function isSafeScheme(name: string): boolean {
  return schemes.has(name.toLowerCase());
}

function percentEncode(character: string): string {
  return /^[\u0021-\u007E]$/.test(character)
    ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    : encodeURIComponent(character);
}
