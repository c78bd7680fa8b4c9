/** The disk of the object store is full, then read-only, and then its key is no longer accepted. */
import { startObjectStore, type RunningObjectStore, type ServerOptions } from '@kiln/dev';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import type { Act, Drill } from '../drill.js';
import { Place } from '../place.js';
import { mountsMissing } from '../private-mounts.config.js';
import { SmallDisk } from '../servers/small-disk.js';

const MEGABYTES = 512;
const REFILL_MS = 200;

export const objectStore: Drill = {
  name: 'object-store',
  lacks: mountsMissing,
  prepare: async () => {
    const place = await Place.make();
    const options = place.optionsOf('object-store');
    const disk = SmallDisk.mount(join(options.directory, 'objects'), MEGABYTES);
    place.atEnd(() => disk.unmount());
    const store = new Store(options, await startObjectStore(options));
    place.atEnd(() => store.server.stop());
    const { url, bucket, accessKeyId, secretAccessKey } = store.server;
    const system = await place.startSystem({
      KILN_STORAGE_ENDPOINT: url,
      KILN_STORAGE_BUCKET: bucket,
      KILN_STORAGE_ACCESS_KEY_ID: accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
    });
    return { system, acts: actsOn(disk, store), stop: place.stop };
  },
};

const actsOn = (disk: SmallDisk, store: Store): Act[] => [
  { fault: 'the disk of the object store is full', play: (hold) => whileFull(disk, hold) },
  {
    fault: 'the object store is read-only',
    play: async (hold) => {
      await disk.makeReadOnly();
      try {
        await hold();
      } finally {
        disk.makeWritable();
      }
    },
  },
  { fault: 'the object store refuses the key of Kiln', play: (hold) => store.withOtherKey(hold) },
];

class Store {
  constructor(
    private readonly options: ServerOptions,
    public server: RunningObjectStore,
  ) {}

  async withOtherKey(hold: () => Promise<void>): Promise<void> {
    const path = join(this.options.directory, 'secret-access-key');
    copyFileSync(path, `${path}.kept`);
    writeFileSync(path, 'another-secret\n');
    await this.restart();
    try {
      await hold();
    } finally {
      copyFileSync(`${path}.kept`, path);
      await this.restart();
    }
  }

  private async restart(): Promise<void> {
    const { port } = this.server;
    await this.server.stop();
    this.server = await startObjectStore({ ...this.options, port });
  }
}

/** Fills the disk again when space is freed. */
export async function whileFull(disk: SmallDisk, hold: () => Promise<void>): Promise<void> {
  disk.fill();
  const refilling = setInterval(() => disk.fill(), REFILL_MS);
  try {
    await hold();
  } finally {
    clearInterval(refilling);
    disk.empty();
  }
}
