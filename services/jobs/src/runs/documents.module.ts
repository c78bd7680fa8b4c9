import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { HealthServer } from '@kiln/platform';
import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { rmSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { BucketDownload } from './bucket/bucket-download.adapter.js';
import { openScratchDirectory } from './scratch-directory.adapter.js';
import { SourceFile } from './steps/source-file.service.js';

const BUCKET_CONNECT_TIMEOUT_MS = 10_000;
const BUCKET_KEEP_ALIVE_MS = 4_000;

/** Injection tokens. */
export const OBJECTS = Symbol('object store');
export const DISPATCHER = Symbol('dispatcher for addresses that callers choose');
export const SCRATCH_DIRECTORY = Symbol('scratch directory');

const providers = [
  { provide: OBJECTS, inject: [WORKER_CONFIG], useFactory: (config: WorkerConfig) => openObjectStore(config) },
  {
    provide: DISPATCHER,
    inject: [WORKER_CONFIG, OutboundPolicy],
    useFactory: (config: WorkerConfig, policy: OutboundPolicy): Dispatcher =>
      createGuardedAgent({
        policy,
        connectTimeoutMs: BUCKET_CONNECT_TIMEOUT_MS,
        keepAliveMs: BUCKET_KEEP_ALIVE_MS,
        proxyUrl: config.KILN_OUTBOUND_PROXY,
      }),
  },
  {
    provide: SCRATCH_DIRECTORY,
    inject: [WORKER_CONFIG],
    useFactory: (config: WorkerConfig) => openScratchDirectory(config.KILN_SCRATCH_DIR),
  },
  {
    provide: SourceFile,
    inject: [WORKER_CONFIG, OBJECTS, DISPATCHER],
    useFactory: (config: WorkerConfig, objects: ObjectStore, dispatcher: Dispatcher) =>
      new SourceFile(objects, config.KILN_EXTRACTION_INPUT_BYTES, new BucketDownload(dispatcher)),
  },
];

/** Where a worker gets the bytes of documents: the object store and external buckets, and its scratch directory. */
@Module({ providers, exports: [OBJECTS, DISPATCHER, SCRATCH_DIRECTORY, SourceFile] })
export class DocumentsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly health: HealthServer,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(DISPATCHER) private readonly dispatcher: Dispatcher,
    @Inject(SCRATCH_DIRECTORY) private readonly scratchDirectory: string,
  ) {}

  onModuleInit(): void {
    // Every run reads and writes there.
    this.health.addCheck('storage', 'needed', () => this.objects.ping());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
    rmSync(this.scratchDirectory, { recursive: true, force: true });
  }
}
