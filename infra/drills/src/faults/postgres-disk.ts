/** The disk of Postgres is full: data and write-ahead log. */
import { rootMissing, type Drill } from '../drill.js';
import { Place } from '../place.js';
import { SmallDisk } from '../servers/small-disk.js';
import { whileFull } from './object-store.js';

const MEGABYTES = 640;

export const postgresDisk: Drill = {
  name: 'postgres-disk',
  lacks: rootMissing,
  prepare: async () => {
    const place = await Place.make();
    const disk = SmallDisk.mount(`${place.folder('kiln')}/postgres`, MEGABYTES);
    place.atEnd(() => disk.unmount());
    return {
      system: await place.startSystem(),
      acts: [{ fault: 'the disk of Postgres is full', play: (hold) => whileFull(disk, hold) }],
      stop: place.stop,
    };
  },
};
