// The ways to a session: a sign-in code, or an API key.
import { Kiln, UnauthorizedError } from '@kiln/sdk';
import { watchedFetch } from './connectivity.js';
import type { Session } from './session.js';

/** The SDK does not send requests without credentials. The server ignores the credentials of this request. */
const NO_KEY = 'none';

const client = (apiKey: string) => new Kiln({ baseUrl: location.origin, apiKey, fetch: watchedFetch, maxRetries: 0 });

/** Throws UnauthorizedError for a code that was used or has expired. */
export async function signInByCode(code: string): Promise<Session> {
  const { id, key } = await client(NO_KEY).apiKeys.exchangeSignInCode({ code });
  return { apiKey: key, keyId: id };
}

/** Throws UnauthorizedError for a key that is not valid. */
export async function signInByKey(text: string): Promise<Session> {
  const apiKey = text.trim();
  if (!/^kiln_(?:live|test)_[0-9A-Za-z]{43}$/.test(apiKey)) throw new TypeError(MALFORMED);
  await client(apiKey).organization.getMe();
  return { apiKey, keyId: null };
}

const MALFORMED = 'This is not an API key. A key begins with kiln_live_ or kiln_test_ and has 53 characters.';

/** Revokes the key of a sign-in code. Resolves also if that fails: the key expires after 12 hours. */
export async function signOut({ apiKey, keyId }: Session): Promise<void> {
  if (keyId === null) return;
  await client(apiKey)
    .apiKeys.delete(keyId)
    .catch(() => undefined);
}

const codeInAddress = () => new URLSearchParams(location.hash.slice(1)).get('code');

export const hasCodeInAddress = (): boolean => codeInAddress() !== null;

/** Takes the code out of the address, so that neither the history nor a bookmark keeps it. */
export function takeCodeFromAddress(): string | null {
  const code = codeInAddress();
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

export const isRefusal = (error: unknown): boolean => error instanceof UnauthorizedError;
