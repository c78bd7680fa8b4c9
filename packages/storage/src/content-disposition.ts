// Content-Disposition by RFC 6266: a plain ASCII name for old clients, the exact one in RFC 5987 form for the rest.
// Names come from uploaders, so nothing of them may end the header, break the quotes or reach another folder.

const FILENAME_BYTES_MAX = 200;

export function contentDisposition(disposition: 'inline' | 'attachment', filename?: string): string {
  if (filename === undefined) return disposition;
  const safe = safeFilename(filename);
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeExtended(safe)}`;
}

function safeFilename(filename: string): string {
  const wellFormed = Buffer.from(filename, 'utf8').toString('utf8'); // lone surrogates become U+FFFD
  const harmless = wellFormed
    // Control characters, and the marks that reorder text on screen so that "fdp.exe" reads as "exe.pdf".
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
  const shortened = shorten(harmless);
  return shortened === '' || /^\.+$/.test(shortened) ? 'file' : shortened;
}

/** Cuts the middle out of overlong names, keeping the extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= FILENAME_BYTES_MAX) return name;
  const extension = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  let stem = '';
  let bytes = Buffer.byteLength(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > FILENAME_BYTES_MAX) break;
    stem += character;
  }
  return stem + extension;
}

/** RFC 5987 value characters; encodeURIComponent leaves `'()*` bare, which the RFC does not allow. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
