/** The number of bytes in which a declaration is searched. The HTML standard says 1024; real pages need more. */
const searchBytes = 8192;

/** A declaration that can be read as ASCII is not in these, but programs write it when they encode the text anew. */
const wide = /^(?:utf-?16|utf-?32|ucs-?[24]|iso-10646-ucs|unicode)/i;

/** The character set that the beginning of an HTML or XML file declares, in lower case. Null when it declares none, or one that it cannot have. */
export function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, searchBytes)).toString('latin1');
  const found =
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return found === undefined || wide.test(found) ? null : found.toLowerCase();
}
