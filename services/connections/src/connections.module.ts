// Composition root of the connections service. The API role answers; the worker role does what nobody waits for; `all` does both.
import { OutboundPolicy } from '@kiln/outbound';
import { ResealWorker, Sealer } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import { SealedCredentials } from './adapters/bucket-credentials.js';
import { BucketOpener } from './adapters/bucket-opener.js';
import { ConnectionBuckets } from './adapters/connection-buckets.js';
import type { ConnectionsConfig } from './config.js';
import { ConnectionPurgeStore } from './store/connection-purge.store.js';
import { connectionRemains } from './store/connection-remains.js';
import { ConnectionStore } from './store/connection.store.js';
import { prepareSyncWorker, syncsAndNodesControllers, syncsAndNodesUseCases } from './syncs-and-nodes.js';
import { ConnectionsController } from './transport/connections.controller.js';
import { BucketQuestions } from './usecases/ask-bucket.js';
import { BrowseBuckets } from './usecases/browse-buckets.usecase.js';
import { CheckConnections } from './usecases/check-connections.usecase.js';
import { ManageConnections } from './usecases/manage-connections.usecase.js';
import { SetUpConnections } from './usecases/set-up-connections.usecase.js';
import { PurgeWorker } from './workers/purge.worker.js';

const CONNECTION_DELETED_WAKE_UP = 'connections.deleted';
const WORKERS_STOP_MS = 10_000;

class Workers implements OnModuleInit {
  constructor(private readonly begin: () => void) {}

  onModuleInit(): void {
    this.begin();
  }
}

export class ConnectionsModule {
  static with(config: ConnectionsConfig, platform: Platform): DynamicModule {
    const { database, wakeUp, shutdown, logger } = platform;
    const connections = new ConnectionStore(database, config.KILN_CONNECTIONS_MAX);
    const sealer = new Sealer(config.KILN_ENCRYPTION_KEY);
    const purge = new PurgeWorker(new ConnectionPurgeStore(database, connectionRemains), logger);
    const reseal = new ResealWorker(new SealedCredentials(connections, sealer), logger);
    const parts = partsOf(config, connections, sealer);
    const works = config.KILN_ROLE !== 'api';
    const startSyncs = works ? prepareSyncWorker(config, platform, parts) : null;
    let stopListening = () => {};
    if (works) {
      shutdown.addPhase('workers', WORKERS_STOP_MS, async () => {
        stopListening();
        await Promise.all([purge.stop(), reseal.stop()]);
      });
    }
    const workers = new Workers(() => {
      if (!works) return;
      purge.start();
      stopListening = wakeUp.listen(CONNECTION_DELETED_WAKE_UP, () => purge.wakeUp());
      reseal.start();
      startSyncs?.();
    });
    const answers = config.KILN_ROLE !== 'worker';
    return {
      module: ConnectionsModule,
      controllers: answers ? [ConnectionsController, ...syncsAndNodesControllers] : [],
      providers: [
        { provide: Workers, useValue: workers },
        ...(answers
          ? usecases(config, platform, { ...parts, onDeleted: () => wakeUp.send(CONNECTION_DELETED_WAKE_UP) })
          : []
        ).map((usecase) => ({
          provide: usecase.constructor,
          useValue: usecase,
        })),
      ],
    };
  }
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(config: ConnectionsConfig, connections: ConnectionStore, sealer: Sealer) {
  const policy = new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW });
  const opener = new BucketOpener({
    policy,
    proxyUrl: config.KILN_OUTBOUND_PROXY,
    gcsEndpoint: config.KILN_CONNECTIONS_GCS_ENDPOINT,
    azureEndpoint: config.KILN_CONNECTIONS_AZURE_ENDPOINT,
    azureAuthority: config.KILN_CONNECTIONS_AZURE_AUTHORITY,
  });
  return {
    connections,
    policy,
    sealer,
    opener,
    buckets: new ConnectionBuckets(opener, sealer),
    questions: new BucketQuestions(config.KILN_CONNECTIONS_TIMEOUT_MS),
  };
}

function usecases(
  config: ConnectionsConfig,
  platform: Platform,
  { connections, policy, sealer, opener, buckets, questions, onDeleted }: Parts & { onDeleted: () => void },
): object[] {
  const manage = new ManageConnections(connections, policy, sealer, onDeleted);
  return [
    manage,
    new CheckConnections({ connections, manage, policy, opener, buckets, questions }),
    new BrowseBuckets({ connections, policy, opener, buckets, questions }),
    new SetUpConnections(config.KILN_CONNECTIONS_AWS_PRINCIPAL),
    ...syncsAndNodesUseCases(platform, { connections, buckets, questions }),
  ];
}
