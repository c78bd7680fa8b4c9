/** The number of bytes in which a declaration is searched. The HTML standard says 1024; real pages need more. */
const searchBytes = 8192;

/** The character set that the beginning of an HTML or XML file declares, in lower case. Null when it declares none. */
export function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, searchBytes)).toString('latin1');
  const found =
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return found?.toLowerCase() ?? null;
}
