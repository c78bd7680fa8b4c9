// A queue on Azurite.
import { QueueClient, StorageSharedKeyCredential } from '@azure/storage-queue';
import type { Azurite } from './azurite.js';

export async function createStorageQueue({ url, accountName, accountKey }: Azurite, name: string) {
  const client = new QueueClient(`${url}/${name}`, new StorageSharedKeyCredential(accountName, accountKey));
  await client.create();
  return {
    send: async (text: string): Promise<void> => {
      await client.sendMessage(text);
    },
  };
}
