/** Redis is gone, or accepts connections and does not answer. */
import { startRedis } from '@kiln/dev';
import { nothing, type Drill } from '../drill.js';
import { Place } from '../place.js';

export const redis: Drill = {
  name: 'redis',
  lacks: nothing,
  prepare: async () => {
    const place = await Place.make();
    const options = place.optionsOf('redis');
    let server = await startRedis(options);
    place.atEnd(() => server.stop());
    const system = await place.startSystem({ REDIS_URL: server.url });
    return {
      system,
      acts: [
        {
          fault: 'Redis is killed',
          play: async (hold) => {
            const { port } = server;
            server.kill();
            await server.exited;
            await hold();
            server = await startRedis({ ...options, port });
          },
        },
        {
          fault: 'Redis does not answer',
          play: async (hold) => {
            process.kill(server.pid, 'SIGSTOP');
            try {
              await hold();
            } finally {
              process.kill(server.pid, 'SIGCONT');
            }
          },
        },
      ],
      stop: place.stop,
    };
  },
};
