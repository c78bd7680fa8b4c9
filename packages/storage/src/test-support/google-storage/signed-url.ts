// V4 signatures, verified from the documentation and not with the SDK:
// https://cloud.google.com/storage/docs/authentication/canonical-requests
import { createHash, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './api-error.js';
import type { Signatory } from './bearer.js';
import { answerMedia } from './media.js';
import type { Services } from './services.js';

export async function serveSignedUrl(
  { objects, multipart, signatory }: Services,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  checkSignature(signatory, url, request);
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (request.method === 'GET') {
    const asked = (name: string, header: string): object => {
      const value = url.searchParams.get(name);
      return value === null ? {} : { [header]: value };
    };
    const overrides = {
      ...asked('response-content-type', 'content-type'),
      ...asked('response-content-disposition', 'content-disposition'),
    };
    const object = objects.get(bucket, key);
    const generation = url.searchParams.get('generation') ?? object.generation;
    if (generation !== object.generation) throw new ApiError(404, 'No such object of this generation.');
    await answerMedia(objects, object, request, response, overrides);
    return;
  }
  if (request.method !== 'PUT') throw new ApiError(400, 'the method is not one of signed URLs here');
  const uploadId = url.searchParams.get('uploadId');
  if (uploadId !== null) {
    const upload = multipart.get(uploadId, bucket, key);
    const etag = await multipart.putPart(upload, Number(url.searchParams.get('partNumber')), request);
    response.writeHead(200, { etag: `"${etag}"` }).end();
    return;
  }
  checkLength(request);
  const path = objects.newFile();
  await objects.append(path, request);
  await objects.publish(bucket, key, request.headers['content-type'] ?? 'application/octet-stream', path);
  response.writeHead(200).end();
}

function checkSignature({ email, publicKey }: Signatory, url: URL, request: IncomingMessage): void {
  const parameter = (name: string): string => url.searchParams.get(name) ?? '';
  const dateTime = parameter('X-Goog-Date');
  const scope = `${dateTime.slice(0, 8)}/auto/storage/goog4_request`;
  const lifeSeconds = Number(parameter('X-Goog-Expires'));
  const ageSeconds = (Date.now() - Date.parse(dateTime.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))) / 1_000;
  const named =
    parameter('X-Goog-Algorithm') === 'GOOG4-RSA-SHA256' && parameter('X-Goog-Credential') === `${email}/${scope}`;
  if (!named || !(lifeSeconds >= 1 && lifeSeconds <= 604_800)) throw new ApiError(400, 'malformed signed URL');
  if (!(ageSeconds > -900 && ageSeconds < lifeSeconds)) throw new ApiError(400, 'the signed URL has expired');
  const canonical = canonicalRequest(url, request, parameter('X-Goog-SignedHeaders').split(';'));
  const toSign = ['GOOG4-RSA-SHA256', dateTime, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const signature = Buffer.from(parameter('X-Goog-Signature'), 'hex');
  if (!verify('RSA-SHA256', Buffer.from(toSign), publicKey, signature))
    throw new ApiError(403, `SignatureDoesNotMatch: ${canonical}`);
}

function canonicalRequest(url: URL, request: IncomingMessage, signedHeaders: readonly string[]): string {
  const unsigned = Object.keys(request.headers).find(
    (name) => name.startsWith('x-goog-') && !signedHeaders.includes(name),
  );
  if (unsigned !== undefined) throw new ApiError(403, `not signed: ${unsigned}`);
  if (!signedHeaders.includes('host')) throw new ApiError(400, 'the host is not signed');
  // Google is reached on the default port, so that the SDK signs the bare name.
  const valueOf = (name: string): string => (name === 'host' ? url.hostname : String(request.headers[name] ?? ''));
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Goog-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders.map((name) => `${name}:${valueOf(name).trim().replace(/\s+/g, ' ')}\n`).join('');
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');
  return [request.method, path, query, headers, signedHeaders.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
}

function checkLength({ headers }: IncomingMessage): void {
  const range = headers['x-goog-content-length-range'];
  if (range === undefined) return;
  const [least = 0, most = 0] = String(range).split(',').map(Number);
  const length = Number(headers['content-length']);
  if (!(length >= least && length <= most)) throw new ApiError(400, 'the length is outside of what was signed');
}

const encode = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
