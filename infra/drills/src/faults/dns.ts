/** All addresses are names, and the name server does not answer: first beside open connections, then while each server restarts. */
import {
  startNats,
  startObjectStore,
  startPostgres,
  startRedis,
  type RunningServer,
  type ServerOptions,
} from '@kiln/dev';
import type { Drill } from '../drill.js';
import { Place } from '../place.js';
import { mountsMissing } from '../private-mounts.config.js';
import { useNameServer } from '../servers/name-server.js';

export const dns: Drill = {
  name: 'dns',
  lacks: mountsMissing,
  prepare: async () => {
    const place = await Place.make();
    const names = await useNameServer(place);
    const postgres = await Restartable.start(place, 'postgres', startPostgres);
    const nats = await Restartable.start(place, 'nats', startNats);
    const redis = await Restartable.start(place, 'redis', startRedis);
    const store = await Restartable.start(place, 'object-store', startObjectStore);
    const { bucket, accessKeyId, secretAccessKey } = store.server;
    const system = await place.startSystem({
      KILN_OUTBOUND_ALLOW: 'receiver.kiln.test,127.0.0.1',
      DATABASE_URL: postgres.namedUrl,
      NATS_URL: nats.namedUrl,
      REDIS_URL: redis.namedUrl,
      KILN_STORAGE_ENDPOINT: store.namedUrl,
      KILN_STORAGE_BUCKET: bucket,
      KILN_STORAGE_ACCESS_KEY_ID: accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
    });
    const withoutNames = async (hold: () => Promise<void>) => {
      names.answers = false;
      try {
        await hold();
      } finally {
        names.answers = true;
      }
    };
    return {
      system,
      host: 'receiver.kiln.test',
      acts: [
        { fault: 'DNS does not answer', play: withoutNames },
        {
          fault: 'DNS does not answer, and Postgres, NATS, Redis and the object store restart',
          play: (hold) =>
            withoutNames(async () => {
              await Promise.all([postgres, nats, redis, store].map((server) => server.restart()));
              await hold();
            }),
        },
      ],
      stop: place.stop,
    };
  },
};

class Restartable<Server extends RunningServer> {
  private constructor(
    private readonly name: string,
    private readonly again: (port: number) => Promise<Server>,
    public server: Server,
  ) {}

  static async start<Server extends RunningServer>(
    place: Place,
    name: string,
    start: (options: ServerOptions) => Promise<Server>,
  ): Promise<Restartable<Server>> {
    const options = place.optionsOf(name);
    const restartable = new Restartable(name, (port) => start({ ...options, port }), await start(options));
    place.atEnd(() => restartable.server.stop());
    return restartable;
  }

  get namedUrl(): string {
    return this.server.url.replace('127.0.0.1', `${this.name}.kiln.test`);
  }

  async restart(): Promise<void> {
    const { port } = this.server;
    await this.server.stop();
    this.server = await this.again(port);
  }
}
