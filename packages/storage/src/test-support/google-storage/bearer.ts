// Tokens that a service account signs itself (https://google.aip.dev/auth/4111), or that Google has issued for it.
import { verify, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { IssuedTokens } from '../google-identity/issued-tokens.js';
import { ApiError } from './api-error.js';

export interface Signatory {
  email: string;
  publicKey: KeyObject;
  /** The tokens that Google has issued for the account. */
  issued?: IssuedTokens;
}

const SCOPES = new Set([
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/devstorage.full_control',
]);

export function checkBearer(request: IncomingMessage, { email, publicKey, issued }: Signatory): void {
  const opaque = /^Bearer (ya29\..+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (opaque !== undefined) {
    if (!issued?.isValid(opaque)) throw new ApiError(401, 'Invalid Credentials');
    return;
  }
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ApiError(401, 'no bearer token');
  const [header = '', payload = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url')))
    throw new ApiError(401, 'bad signature');
  const { alg } = parse<{ alg: string }>(header);
  const { iss, sub, scope, exp, iat } = parse<Record<'iss' | 'sub' | 'scope', string> & Record<'exp' | 'iat', number>>(
    payload,
  );
  const now = Date.now() / 1_000;
  const scoped = scope.split(' ').some((name) => SCOPES.has(name));
  if (alg !== 'RS256' || iss !== email || sub !== email || !scoped) throw new ApiError(401, 'bad claims');
  if (iat > now + 60 || exp < now || exp - iat > 3_600) throw new ApiError(401, 'bad times');
}

const parse = <T>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
