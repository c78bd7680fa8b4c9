/** The prefix of the keys that start with both prefixes: the connection's and the requested one. Null when no key can. */
export function narrowedPrefix(ofConnection: string, asked: string): string | null {
  if (asked.startsWith(ofConnection)) return asked;
  return ofConnection.startsWith(asked) ? ofConnection : null;
}
