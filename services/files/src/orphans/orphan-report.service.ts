// Reports what a search for orphans has found as metrics, and why it has removed nothing in the log.
import { Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { formatMarker, MARKER_KEY } from './bucket-marker.domain.js';
import type { SearchObstacle } from './orphan-search.entity.js';
import { OrphanSearchStore } from './orphan-search.store.js';

const IF_OWN = `To search it all the same, write the text under "marker" to the object ${MARKER_KEY}.`;
const ADVICE: Record<SearchObstacle, string> = {
  foreign_bucket: `The bucket belongs to another installation. Give this one a bucket of its own. ${IF_OWN}`,
  unmarked_bucket: `The bucket holds objects, but no ${MARKER_KEY} that names their installation. ${IF_OWN}`,
  older_database: `The database is older than the bucket: it was restored from a backup, or is a copy. ${IF_OWN} That removes the bytes of files that the database does not know.`,
  too_many_orphans:
    'The bucket holds more objects without a file than failed uploads explain. Check that the database is the one of this bucket. If it is, raise KILN_ORPHANS_PERCENT_MAX until they are removed.',
};

@Injectable()
export class OrphanReport {
  private readonly orphans: { add(count: number): void };
  private passedAt = 0;

  constructor(
    private readonly search: OrphanSearchStore,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.orphans = metrics.counter('kiln_orphans_found_total', 'Objects without a file that a search has found');
    metrics.gauge(
      'kiln_orphan_search_passed_seconds',
      'When this process last finished a search for orphaned objects, as Unix time; 0 when it never has',
      () => this.passedAt,
    );
    metrics.sampledGauge('kiln_orphan_search_obstacle', {
      help: 'Why the last search for orphaned objects has removed nothing: 1 under its reason; no series when it has finished',
      labelNames: ['reason'],
      read: async () => {
        const reason = await search.obstacle();
        return reason === null ? [] : [{ labels: { reason }, value: 1 }];
      },
    });
  }

  found(count: number): void {
    this.orphans.add(count);
  }

  passed(): void {
    this.passedAt = Date.now() / 1_000;
  }

  /** The log line includes the marker, so it is written after this returns. */
  nothingRemoved(obstacle: SearchObstacle, counts: { idsSeen: number; orphans: number }): void {
    const report = async () => {
      const marker = formatMarker(await this.search.marker());
      this.logger.error({ obstacle, ...counts, marker }, `No orphaned object was removed. ${ADVICE[obstacle]}`);
    };
    report().catch((error: unknown) => this.logger.error({ err: error, obstacle }, 'No orphaned object was removed'));
  }
}
