// Presigned URLs, which browsers and curl can use without an S3 client.
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contentDisposition } from '../content-disposition.js';
import type { SignedPut, SignGetOptions, SignPutOptions } from '../object-store.port.js';
import { checkedExpiry } from '../signed-url-expiry.js';
import { toStorageError } from './s3-errors.js';

export async function signPutUrl(
  client: S3Client,
  bucket: string,
  key: string,
  { expiresSeconds, contentType, sizeBytes }: SignPutOptions,
): Promise<SignedPut> {
  const signableHeaders = new Set(['host']);
  if (contentType !== undefined) signableHeaders.add('content-type');
  if (sizeBytes !== undefined) signableHeaders.add('content-length');
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(contentType !== undefined && { ContentType: contentType }),
    ...(sizeBytes !== undefined && { ContentLength: sizeBytes }),
  });
  const expiresIn = checkedExpiry(expiresSeconds);
  const url = await sign(() => getSignedUrl(client, command, { expiresIn, signableHeaders }));
  // Every HTTP client sends Content-Length, so it is not listed.
  return { url, headers: contentType === undefined ? {} : { 'Content-Type': contentType } };
}

export async function signGetUrl(
  client: S3Client,
  bucket: string,
  key: string,
  { expiresSeconds, filename, contentType, disposition }: SignGetOptions,
): Promise<string> {
  const named = filename !== undefined || disposition !== undefined;
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(contentType !== undefined && { ResponseContentType: contentType }),
    ...(named && { ResponseContentDisposition: contentDisposition(disposition ?? 'attachment', filename) }),
  });
  return sign(() => getSignedUrl(client, command, { expiresIn: checkedExpiry(expiresSeconds) }));
}

/** `run` signs with the SDK. Throws StorageError. */
export async function sign(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    throw toStorageError(error, 'signing a URL');
  }
}
