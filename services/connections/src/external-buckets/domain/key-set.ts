/** Public keys: https://www.rfc-editor.org/rfc/rfc7517. Each member of a key is a text. */
export interface KeySet {
  keys: Record<string, string>[];
}
