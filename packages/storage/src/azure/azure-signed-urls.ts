// Shared access signatures (https://learn.microsoft.com/rest/api/storageservices/create-service-sas): URLs that
// browsers and curl can use. The signature of an account key covers neither request headers nor the length of the body.
import { BlobSASPermissions, type BlobSASSignatureValues } from '@azure/storage-blob';
import { contentDisposition } from '../content-disposition.js';
import type { SignedPut, SignGetOptions, SignPutOptions } from '../object-store.port.js';
import { checkedExpiry } from '../signed-url-expiry.js';
import { StorageError } from '../storage.errors.js';
import type { AzureClients } from './azure-client.js';

export async function signPutUrl(
  clients: AzureClients,
  key: string,
  { expiresSeconds, contentType }: SignPutOptions,
): Promise<SignedPut> {
  const permissions = BlobSASPermissions.from({ create: true, write: true }); // `create` alone would refuse a repeated PUT
  return {
    url: await signBlobUrl(clients, key, expiresSeconds, { permissions }),
    headers: { 'x-ms-blob-type': 'BlockBlob', ...(contentType !== undefined && { 'Content-Type': contentType }) },
  };
}

export function signGetUrl(
  clients: AzureClients,
  key: string,
  { expiresSeconds, filename, contentType, disposition }: SignGetOptions,
): Promise<string> {
  const named = filename !== undefined || disposition !== undefined;
  return signBlobUrl(clients, key, expiresSeconds, {
    permissions: BlobSASPermissions.from({ read: true }),
    ...(contentType !== undefined && { contentType }),
    ...(named && { contentDisposition: contentDisposition(disposition ?? 'attachment', filename) }),
  });
}

export async function signBlobUrl(
  { publicContainer, signatures }: AzureClients,
  key: string,
  expiresSeconds: number,
  values: Omit<BlobSASSignatureValues, 'containerName'>,
): Promise<string> {
  if (signatures === null) throw new StorageError('invalid', 'signing a URL: a shared access signature signs nothing');
  const signed = await signatures.sign({
    ...values,
    containerName: publicContainer.containerName,
    blobName: key,
    expiresOn: new Date(Date.now() + checkedExpiry(expiresSeconds) * 1_000),
  });
  return `${publicContainer.getBlobClient(key).url}?${signed.toString()}`;
}
