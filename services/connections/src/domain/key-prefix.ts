/**
 * The prefix of the keys that start with both: what a connection is about, and what is asked of it. Null when no key does.
 */
export function narrowedPrefix(ofConnection: string, asked: string): string | null {
  if (asked.startsWith(ofConnection)) return asked;
  return ofConnection.startsWith(asked) ? ofConnection : null;
}
