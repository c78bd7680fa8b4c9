// A NATS server of one spec, which can lose what it has stored.
import { startNats } from '@kiln/dev';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testNamespace } from './namespace.js';
import { ownServerOptions } from './own-servers.js';

export interface OwnNats {
  url: string;
  /** Restarts it without its streams and consumers. */
  loseStorage(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnNats(): Promise<OwnNats> {
  const options = await ownServerOptions(`nats-${testNamespace()}`);
  let server = await startNats(options);
  return {
    url: server.url,
    loseStorage: async () => {
      const { port } = server;
      await server.stop();
      rmSync(join(options.directory, 'jetstream'), { recursive: true });
      server = await startNats({ ...options, port });
    },
    stop: () => server.stop(),
  };
}
