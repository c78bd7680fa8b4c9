/** The primary of a pair is killed, and its standby promoted. The name of the primary leads to the other server from then on. */
import { openCuttable, startPostgresPair } from '@kiln/testing';
import { nothing, type Drill } from '../drill.js';
import { Place } from '../place.js';

export const postgresFailover: Drill = {
  name: 'postgres-failover',
  lacks: nothing,
  prepare: async () => {
    const place = await Place.make();
    const pair = await startPostgresPair();
    place.atEnd(() => pair.stop());
    const name = await openCuttable(pair.url);
    place.atEnd(() => name.close());
    return {
      system: await place.startSystem({ DATABASE_URL: name.url }),
      acts: [
        {
          fault: 'the primary is killed and the standby promoted; until the end, the name leads to the former primary',
          play: async (hold) => {
            const { promoted, demoted } = await pair.failOver();
            name.aim(demoted);
            await hold();
            name.aim(promoted);
          },
        },
      ],
      stop: place.stop,
    };
  },
};
