const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces character references. Entities that a document type declares stay as they are written: none is ever expanded. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    const isAllowed = code > 0x1f || code === 0x09 || code === 0x0a || code === 0x0d;
    return isAllowed && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' ';
  });
}
