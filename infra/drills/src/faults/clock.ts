/** The clock of one process after the other is two minutes ahead, and then two minutes behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Drill } from '../drill.js';
import { Place } from '../place.js';
import { Clocks } from '../servers/clocks.js';

const SECONDS = 120;

export const clock: Drill = {
  name: 'clock',
  lacks: () => (existsSync('/usr/bin/dpkg') ? null : 'libfaketime comes from the packages of Debian'),
  prepare: async () => {
    const place = await Place.make();
    const clocks = await Clocks.make(place);
    const system = await place.startSystem(clocks.variables, join(import.meta.dirname, '../servers/clock-launcher.js'));
    const oneByOne = async (seconds: number, hold: () => Promise<void>) => {
      for (const name of clocks.processes) {
        await clocks.set(name, seconds);
        await hold();
        await clocks.set(name, 0);
      }
    };
    return {
      system,
      acts: [
        {
          fault: 'the clock of one process after the other is two minutes ahead',
          play: (hold) => oneByOne(SECONDS, hold),
        },
        {
          fault: 'the clock of one process after the other is two minutes behind',
          play: (hold) => oneByOne(-SECONDS, hold),
        },
      ],
      stop: place.stop,
    };
  },
};
