// Content-Disposition (RFC 6266): an ASCII filename for old clients, and the exact one in RFC 5987 form for others.
// Filenames come from uploaders, so they must not end the header, close the quotes or name another folder.

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

/** Truncates long filenames before their extension. */
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

/** Encodes an RFC 5987 value. encodeURIComponent does not encode `'()*`, which the RFC requires. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
