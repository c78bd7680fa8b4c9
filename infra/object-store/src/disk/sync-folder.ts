// Makes a rename or a new name in a folder survive a power cut.
import { open } from 'node:fs/promises';

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
