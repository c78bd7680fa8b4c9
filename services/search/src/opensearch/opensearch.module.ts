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
const index = {
  provide: REMOTE_INDEX,
  inject: [SEARCH_CONFIG, Database, HealthServer],
  useFactory: async (config: SearchConfig, database: Database, health: HealthServer) => {
    const { KILN_SEARCH_URL: urls, KILN_SEARCH_USER: user, KILN_SEARCH_PASSWORD: password } = config;
    if (urls === undefined) return null;
    const connection = new OpenSearchConnection({ urls, user, password, ca: config.KILN_SEARCH_CA });
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
  providers: [MergeStore, index, tails],
  exports: [REMOTE_INDEX, TAILS],
})
export class OpenSearchModule implements OnApplicationShutdown {
  constructor(@Inject(REMOTE_INDEX) private readonly opened: OpenSearchIndex | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.close();
  }
}
