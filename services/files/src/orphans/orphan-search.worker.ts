// Runs the search for objects without a file. Every process runs it; a lease lets one of them search at a time.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { FILES_CONFIG, OBJECT_STORE, type FilesConfig } from '../config.js';
import { ObjectRemovalNotifier } from '../deletion/deletion-notifiers.service.js';
import { RemovalStore } from '../deletion/removal.store.js';
import { PartUploadStore } from '../parts/part-upload.store.js';
import { FindOrphans, ORPHAN_SEARCH } from './find-orphans.usecase.js';
import { OrphanReport } from './orphan-report.service.js';
import { OrphanSearchStore } from './orphan-search.store.js';
import { OwnBucket } from './own-bucket.service.js';

const POLL_MS = 60_000;

@Injectable()
export class OrphanSearchWorker extends PollingLoop {
  private readonly searching: FindOrphans;
  private isMarked = false;

  constructor(
    search: OrphanSearchStore,
    removals: RemovalStore,
    partUploads: PartUploadStore,
    removalNotifier: ObjectRemovalNotifier,
    private readonly bucket: OwnBucket,
    private readonly report: OrphanReport,
    @Inject(OBJECT_STORE) objects: ObjectStore,
    @Inject(FILES_CONFIG) { KILN_ORPHANS_PERCENT_MAX: orphansPercentMax }: FilesConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'Searching orphaned objects', pollMs: POLL_MS, logger, round: () => this.round() });
    const parts = {
      search,
      bucket,
      removals,
      partUploads,
      objects,
      onFound: (count: number) => {
        report.found(count);
        removalNotifier.wakeUp();
      },
      onObstacle: report.nothingRemoved.bind(report),
      isStopping: () => this.isStopping,
    };
    this.searching = new FindOrphans(parts, { ...ORPHAN_SEARCH, orphansPercentMax });
  }

  private async round(): Promise<boolean> {
    // This runs before the first upload, since only an empty bucket gets a marker.
    if (!this.isMarked) await this.bucket.obstacle();
    this.isMarked = true;
    if (await this.searching.round()) this.report.passed();
    return false;
  }
}
