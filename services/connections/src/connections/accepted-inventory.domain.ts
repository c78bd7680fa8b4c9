// Checks that a connection may have an inventory. Errors name the fields of the API.
import { badRequest, type ConnectionsInput, type StorageProviderId } from '@kiln/contracts';

/** Throws BAD_REQUEST. Inventories of Google and Azure have other forms. */
export function assertInventory(
  provider: StorageProviderId,
  given: ConnectionsInput<'updateConnection'>['inventory'],
): void {
  if (given == null || isOfS3(provider)) return;
  throw badRequest(
    `inventory is for S3 and compatible stores. A connection of the provider ${provider} cannot have one.`,
  );
}

const isOfS3 = (provider: StorageProviderId): boolean => provider !== 'gcs' && provider !== 'container_blob';
