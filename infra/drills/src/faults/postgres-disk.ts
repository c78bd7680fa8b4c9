/** The disk of Postgres is full: first for its tables, then also for its write-ahead log, without which it stops. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Drill } from '../drill.js';
import { Place } from '../place.js';
import { mountsMissing } from '../private-mounts.config.js';
import { SmallDisk } from '../servers/small-disk.js';
import { whileFull } from './object-store.js';

const MEGABYTES = 640;

export const postgresDisk: Drill = {
  name: 'postgres-disk',
  lacks: mountsMissing,
  prepare: async () => {
    const place = await Place.make();
    const disk = SmallDisk.mount(`${place.folder('kiln')}/postgres`, MEGABYTES);
    place.atEnd(() => disk.unmount());
    const system = await place.startSystem();
    const untilStopped = () => useUpLog(system.runJson().postgres.url);
    return {
      system,
      acts: [
        { fault: 'the disk of Postgres is full', play: (hold) => whileFull(disk, hold) },
        {
          fault: 'the disk of Postgres is full, and Postgres stops',
          play: (hold) =>
            whileFull(disk, async () => {
              await untilStopped();
              await hold();
            }),
        },
      ],
      stop: place.stop,
    };
  },
};

/** Begins segments of the log until there is room for none, which ends the server. */
async function useUpLog(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => undefined); // The end of the server fails the next statement.
  await client.connect();
  try {
    for (;;) {
      await client.query(`select pg_logical_emit_message(false, 'drill', 'x'), pg_switch_wal()`);
      await delay(10);
    }
  } catch {
    // The server has stopped.
  } finally {
    await client.end().catch(() => undefined);
  }
}
