// Shared access signatures, as the owner of a storage account makes them.
import {
  AccountSASPermissions,
  ContainerSASPermissions,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { Azurite } from './azurite.js';

type Account = Pick<Azurite, 'accountName' | 'accountKey'>;

interface Signed {
  permissions: string;
  expiresOn: Date;
}

const keyOf = ({ accountName, accountKey }: Account) => new StorageSharedKeyCredential(accountName, accountKey);

export function containerSignature(
  account: Account,
  containerName: string,
  { permissions, expiresOn }: Signed,
): string {
  const values = { containerName, permissions: ContainerSASPermissions.parse(permissions), expiresOn };
  return generateBlobSASQueryParameters(values, keyOf(account)).toString();
}

/** For all resources of these services: `b` for blobs, `q` for queues. */
export function accountSignature(account: Account, services: string, { permissions, expiresOn }: Signed): string {
  const values = { services, resourceTypes: 'sco', permissions: AccountSASPermissions.parse(permissions), expiresOn };
  return generateAccountSASQueryParameters(values, keyOf(account)).toString();
}
