// The messages between the portal and the page that embeds it (docs/portal.md). Each has the version of this protocol.
const VERSION = 1;
const TOKEN = /^kiln_pt_[0-9A-Za-z]{43}$/;

/** What the portal sends. */
export type Message =
  /** It listens. With `needs_token` it shows nothing until a token arrives. */
  | { type: 'kiln.portal.ready'; needs_token: boolean }
  /** How many CSS pixels its content takes. */
  | { type: 'kiln.portal.height'; height: number }
  /** ISO 8601, in UTC. */
  | { type: 'kiln.portal.token_expiring'; expires_at: string }
  /** The token has expired, or the server refuses it. */
  | { type: 'kiln.portal.token_expired' };

export const messageOf = (message: Message) => ({ ...message, version: VERSION });

export const isToken = (value: unknown): value is string => typeof value === 'string' && TOKEN.test(value);

/** The token of a message `kiln.portal.token`. Null for everything else. */
export function receivedToken(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, version, token } = data as Readonly<Record<string, unknown>>;
  return type === 'kiln.portal.token' && version === VERSION && isToken(token) ? token : null;
}
