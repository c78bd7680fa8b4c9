// V4 signed URLs (https://cloud.google.com/storage/docs/authentication/signatures): URLs that browsers and curl can use.
import type { GetSignedUrlConfig, Storage } from '@google-cloud/storage';
import { contentDisposition } from '../content-disposition.js';
import type { SignedPut, SignGetOptions, SignPartOptions, SignPutOptions } from '../object-store.port.js';
import { checkedExpiry } from '../signed-url-expiry.js';
import { FederatedAuth } from './federated-account.js';
import { toStorageError } from './gcs-errors.js';

export interface GcsSigner {
  storage: Storage;
  bucket: string;
  publicEndpoint: string;
}

export async function signPutUrl(
  signer: GcsSigner,
  key: string,
  { expiresSeconds, contentType, sizeBytes }: SignPutOptions,
): Promise<SignedPut> {
  const range = sizeBytes === undefined ? undefined : { 'x-goog-content-length-range': `${sizeBytes},${sizeBytes}` };
  const url = await sign(signer, key, expiresSeconds, {
    action: 'write',
    ...(contentType !== undefined && { contentType }),
    ...(range && { extensionHeaders: range }),
  });
  return { url, headers: { ...(contentType !== undefined && { 'Content-Type': contentType }), ...range } };
}

/** The parameters are signed, so that the URL accepts this part only. The complete upload is checked for the sizes of its parts. */
export async function signPartUrl(
  signer: GcsSigner,
  key: string,
  { uploadId, partNumber, expiresSeconds }: SignPartOptions,
): Promise<SignedPut> {
  const queryParams = { partNumber: String(partNumber), uploadId };
  return { url: await sign(signer, key, expiresSeconds, { action: 'write', queryParams }), headers: {} };
}

export async function signGetUrl(
  signer: GcsSigner,
  key: string,
  { expiresSeconds, etag, filename, contentType, disposition }: SignGetOptions,
): Promise<string> {
  const named = filename !== undefined || disposition !== undefined;
  return sign(signer, key, expiresSeconds, {
    action: 'read',
    ...(etag !== undefined && { queryParams: { generation: etag } }),
    ...(contentType !== undefined && { responseType: contentType }),
    ...(named && { responseDisposition: contentDisposition(disposition ?? 'attachment', filename) }),
  });
}

async function sign(
  { storage, bucket, publicEndpoint }: GcsSigner,
  key: string,
  expiresSeconds: number,
  config: Omit<GetSignedUrlConfig, 'expires' | 'version'>,
): Promise<string> {
  const lifeMs = checkedExpiry(expiresSeconds) * 1_000;
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000; // signatures count whole seconds
  const times = { accessibleAt: nowMs, expires: nowMs + lifeMs };
  try {
    const file = storage.bucket(bucket).file(key);
    const [url] = await file.getSignedUrl({ ...config, ...times, version: 'v4', host: publicEndpoint });
    return url;
  } catch (error) {
    const { authClient } = storage;
    throw toStorageError(authClient instanceof FederatedAuth ? authClient.failureOf(error) : error, 'signing a URL');
  }
}
