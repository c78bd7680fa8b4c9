import { Database, HealthServer, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergeStore } from '../merging/merge.store.js';
import { TAILS, type Tails } from '../merging/tails.port.js';
import { REMOTE_INDEX } from '../text-index/remote-index.port.js';
import { MoveTailStore } from './move-tail.store.js';
import { observeRemoteIndex } from './remote-index.metrics.js';
import { OpenSearchConnection } from './opensearch-connection.adapter.js';
import { OpenSearchIndex } from './opensearch-index.adapter.js';
import { mayCreateIndex, readGeneration } from './generation.store.js';
import { TailMerges } from './tail-merges.service.js';

/** Null without KILN_SEARCH_URL. */
const connection = {
  provide: OpenSearchConnection,
  inject: [SEARCH_CONFIG],
  useFactory: async (config: SearchConfig) => {
    const { KILN_SEARCH_URL: urls, KILN_SEARCH_USER: user, KILN_SEARCH_PASSWORD: password } = config;
    return urls === undefined ? null : OpenSearchConnection.open({ urls, user, password, ca: config.KILN_SEARCH_CA });
  },
};
/** Null without a connection. */
const index = {
  provide: REMOTE_INDEX,
  inject: [OpenSearchConnection, SEARCH_CONFIG, Database, HealthServer],
  useFactory: async (
    connection: OpenSearchConnection | null,
    config: SearchConfig,
    database: Database,
    health: HealthServer,
  ) => {
    if (connection === null) return null;
    const opened = new OpenSearchIndex({
      connection,
      name: `${config.KILN_SEARCH_INDEX}-${await readGeneration(database)}`,
      shards: config.KILN_SEARCH_SHARDS,
      replicas: config.KILN_SEARCH_REPLICAS,
      mayCreate: () => mayCreateIndex(database),
    });
    health.addCheck('opensearch', 'reported', () => opened.ping());
    return opened;
  },
};
/** Merges go to OpenSearch if it is configured, otherwise to the blocks. */
const tails = {
  provide: TAILS,
  inject: [MergeStore, REMOTE_INDEX, Database, Metrics, LOGGER],
  useFactory: (
    blocks: MergeStore,
    remote: OpenSearchIndex | null,
    database: Database,
    metrics: Metrics,
    logger: Logger,
  ): Tails => {
    if (remote === null) return blocks;
    const moves = new MoveTailStore(database, remote);
    return new TailMerges(blocks, moves, observeRemoteIndex(metrics, moves), logger);
  },
};

/** The text index in OpenSearch, if it is configured. */
@Module({
  providers: [MergeStore, connection, index, tails],
  exports: [OpenSearchConnection, REMOTE_INDEX, TAILS],
})
export class OpenSearchModule implements OnApplicationShutdown {
  constructor(@Inject(OpenSearchConnection) private readonly connection: OpenSearchConnection | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.close();
  }
}
