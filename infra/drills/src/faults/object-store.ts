/** The disk of the object store is full, and then read-only. */
import { setInterval } from 'node:timers';
import { rootMissing, type Drill } from '../drill.js';
import { Place } from '../place.js';
import { SmallDisk } from '../servers/small-disk.js';

const MEGABYTES = 64;
const REFILL_MS = 200;

export const objectStore: Drill = {
  name: 'object-store',
  lacks: rootMissing,
  prepare: async () => {
    const place = await Place.make();
    const disk = SmallDisk.mount(`${place.folder('kiln')}/object-store/objects`, MEGABYTES);
    place.atEnd(() => disk.unmount());
    return {
      system: await place.startSystem(),
      acts: [
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
      ],
      stop: place.stop,
    };
  },
};

/** What is freed meanwhile is taken again. */
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
