// Exchanges a sign-in code for an API key of limited life. Anyone may call it, so each address has few attempts.
import { CodedError, formatTimestamp, type signInRequestSchema } from '@kiln/contracts';
import type { z } from 'zod';
import { newApiKey } from '../keys/api-key.domain.js';
import type { PublicRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { SIGN_IN_KEY_HOURS, signInCodeHash } from './sign-in-code.domain.js';

/** Ten attempts at once, then one in six seconds. */
export const ATTEMPTS = { perSecond: 1 / 6, burst: 10 };

type SignInRequest = PublicRequest<object, object, z.output<typeof signInRequestSchema>>;

export async function signIn({ body, http }: SignInRequest, { apiKeys, signInCodes, signInAttempts }: GatewayServices) {
  const attempt = await signInAttempts.take(`sign_in:${http.socket.remoteAddress ?? ''}`, ATTEMPTS);
  if (attempt && !attempt.allowed) {
    const { retryAfterSeconds } = attempt;
    const message = `Too many attempts to sign in. Retry after ${retryAfterSeconds} s.`;
    throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds });
  }
  const hash = signInCodeHash(body.code);
  const organizationId = hash && (await signInCodes.take(hash));
  if (!organizationId) {
    const message =
      'The sign-in code is not valid. A code works once, within 10 minutes. Make another with `kiln sign-in create`, or use an API key.';
    throw new CodedError('UNAUTHORIZED', message);
  }
  const { value, fingerprint } = newApiKey('live');
  const expires_at = new Date(Date.now() + SIGN_IN_KEY_HOURS * 3_600_000);
  const { id } = await apiKeys.create(organizationId, fingerprint, { name: 'Console', scopes: ['*'], expires_at });
  return { id, key: value, org_id: organizationId, expires_at: formatTimestamp(expires_at) };
}
