// AWS Signature Version 4: the canonical request, the string to sign, the key (Amazon S3 API reference, "Authenticating
// Requests"). Shared by header and presigned verification.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { percentEncode } from '../byte-string.js';
import { S3Error } from '../s3-errors.js';
import type { QueryPairs, S3Request } from '../request.js';

export const ALGORITHM = 'AWS4-HMAC-SHA256';
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
export const CLOCK_SKEW_MS = 15 * 60 * 1000;

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** `date/region/service/aws4_request` of a credential, with its access key id. */
export interface CredentialScope {
  accessKeyId: string;
  date: string;
  region: string;
  text: string;
}

export function parseScope(credential: string): CredentialScope | undefined {
  const match = /^(.+)\/(\d{8})\/([^/]*)\/s3\/aws4_request$/.exec(credential);
  const [, accessKeyId, date, region] = match ?? [];
  if (accessKeyId === undefined || date === undefined || region === undefined) return undefined;
  return { accessKeyId, date, region, text: `${date}/${region}/s3/aws4_request` };
}

/** `20261121T101500Z` as milliseconds, or undefined. */
export function parseAmzDate(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The signing key of one day. */
let lastKey: { of: string; key: Buffer } | undefined;

export function signingKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const of = `${secretAccessKey}/${scope.text}`;
  if (lastKey?.of !== of) lastKey = { of, key: deriveKey(secretAccessKey, scope) };
  return lastKey.key;
}

function deriveKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, scope.date), scope.region), 's3'), 'aws4_request');
}

export interface SignedParts {
  signedHeaders: string[];
  queryPairs: QueryPairs;
  payloadHash: string;
  amzDate: string;
  scope: CredentialScope;
}

export function calculateSignature(request: S3Request, key: Buffer, parts: SignedParts): string {
  const canonicalRequest = [
    request.method,
    percentEncode(request.path, '/'),
    canonicalQuery(parts.queryPairs),
    ...parts.signedHeaders.map((name) => `${name}:${canonicalHeader(request, name)}`),
    '',
    parts.signedHeaders.join(';'),
    parts.payloadHash,
  ].join('\n');
  const hashed = hash('sha256', canonicalRequest);
  const stringToSign = [ALGORITHM, parts.amzDate, parts.scope.text, hashed].join('\n');
  return createHmac('sha256', key).update(stringToSign).digest('hex');
}

function canonicalQuery(pairs: QueryPairs): string {
  const encoded = pairs.map(([name, value]) => [percentEncode(name), percentEncode(value)] as const);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return encoded
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function canonicalHeader(request: S3Request, name: string): string {
  const values: string[] = [];
  const { rawHeaders } = request.raw;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== name) continue;
    // Node decodes headers as latin1, but clients sign them as UTF-8.
    const text = Buffer.from(rawHeaders[at + 1] ?? '', 'latin1').toString('utf8');
    values.push(text.trim().replace(/ +/g, ' '));
  }
  return values.join(',');
}

/** Compares in constant time. The length of a signature is not secret. */
export function assertSameSignature(expected: string, given: string): void {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw new S3Error('SignatureDoesNotMatch');
}

/**
 * A signature must cover the host and every x-amz-* header, so that the holder of a signed URL cannot add headers which change what the
 * request does.
 */
export function assertHeadersSigned(request: S3Request, signedHeaders: string[]): void {
  const unsigned = ['host', ...Object.keys(request.raw.headers).filter((name) => name.startsWith('x-amz-'))].filter(
    (name) => !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) throw new S3Error('AccessDenied', `These headers must be signed: ${unsigned.join(', ')}.`);
}
