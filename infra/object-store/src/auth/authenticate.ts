// Checks that a request is signed with the store's access key, and returns the signed properties of the body.
import type { Authenticated } from './authenticated.js';
import { verifyAuthorizationHeader } from './header-auth.js';
import { isPresigned, verifyPresignedUrl } from './presigned-auth.js';
import type { Credentials } from './signature.js';
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

export function authenticate(request: S3Request, credentials: Credentials, nowMs: number): Authenticated {
  const authorization = request.header('authorization');
  const presigned = isPresigned(request);
  if (authorization !== undefined && presigned) {
    throw new S3Error('InvalidRequest', 'Sign either the header or the query, not both.');
  }
  if (authorization !== undefined) return verifyAuthorizationHeader(request, authorization, credentials, nowMs);
  if (presigned) return verifyPresignedUrl(request, credentials, nowMs);
  throw new S3Error('AccessDenied', 'Anonymous access is not allowed; sign the request (AWS Signature Version 4).');
}
