import type { Sandbox } from '@kiln/extraction';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { openSandbox } from '../extractor/open-sandbox.service.js';
import { DocumentsModule, OBJECTS, SCRATCH_DIRECTORY } from '../runs/documents.module.js';
import { SourceFile } from '../runs/steps/source-file.service.js';
import { DrawPage } from './draw-page.usecase.js';
import { PageImagesController } from './page-images.controller.js';

const SANDBOX = Symbol('sandbox for pages');

const providers = [
  {
    provide: SANDBOX,
    inject: [WORKER_CONFIG, SCRATCH_DIRECTORY, LOGGER],
    // A separate process: a caller waits for the image, and the extraction of a document can take minutes.
    useFactory: (config: WorkerConfig, directory: string, logger: Logger): Sandbox =>
      openSandbox({ ...config, KILN_EXTRACTION_PROCESSES: 1 }, directory, logger),
  },
  {
    provide: DrawPage,
    inject: [OBJECTS, SourceFile, SANDBOX, SCRATCH_DIRECTORY],
    useFactory: (objects: ObjectStore, source: SourceFile, sandbox: Sandbox, scratchDirectory: string) =>
      new DrawPage({ objects, source, sandbox, scratchDirectory }),
  },
];

/** Images of pages, on request. */
@Module({ imports: [DocumentsModule], controllers: [PageImagesController], providers })
export class PageImagesModule implements OnApplicationShutdown {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  onApplicationShutdown(): Promise<void> {
    return this.sandbox.close();
  }
}
