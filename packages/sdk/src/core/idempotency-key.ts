/** A random key. Node 18 has no global `crypto`, and pages without https lack `randomUUID`. */
export function randomIdempotencyKey(): string {
  const source = globalThis.crypto as Partial<Crypto> | undefined;
  if (source?.randomUUID) return source.randomUUID();
  const part = () => Math.floor(Math.random() * 2 ** 52).toString(36);
  return `${Date.now().toString(36)}-${part()}-${part()}`;
}
