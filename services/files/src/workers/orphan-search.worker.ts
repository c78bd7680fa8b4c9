// The search for objects that no file owns, in one process at a time; and why it removes nothing, if so.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { formatMarker, MARKER_KEY } from '../domain/bucket-marker.js';
import { OrphanSearchStore, type SearchObstacle } from '../store/orphan-search.store.js';
import { RemovalStore } from '../store/removal.store.js';
import { FindOrphans, ORPHAN_SEARCH, type FindOrphansParts } from '../usecases/find-orphans.usecase.js';
import { OwnBucket } from '../usecases/own-bucket.js';

const POLL_MS = 60_000;
const STOP_MS = 10_000;

const IF_IT_IS_OWN = `To search it all the same, write the text under "marker" to the object ${MARKER_KEY}.`;
const ADVICE: Record<SearchObstacle, string> = {
  foreign_bucket: `The bucket belongs to another installation. Give this one a bucket of its own. ${IF_IT_IS_OWN}`,
  unmarked_bucket: `The bucket holds objects, and no ${MARKER_KEY} that says whose they are. ${IF_IT_IS_OWN}`,
  older_database: `The database is older than the bucket: it was restored from a backup, or is a copy. ${IF_IT_IS_OWN} That removes the bytes of files that the database does not know.`,
  too_many_orphans:
    'The bucket holds more objects without a file than failed uploads explain. Check that the database is the one of this bucket. If it is, raise KILN_ORPHANS_PERCENT_MAX until they are removed.',
};

export interface OrphanSearchSettings {
  orphansPercentMax: number;
  /** There are objects to remove. */
  onFound: () => void;
}

export function startOrphanSearch(platform: Platform, objects: ObjectStore, settings: OrphanSearchSettings): void {
  const { database, shutdown, logger } = platform;
  const search = new OrphanSearchStore(database);
  const bucket = new OwnBucket(search, objects);
  const metrics = searchMetrics(platform, search);
  let stopping = false;
  const onObstacle: FindOrphansParts['onObstacle'] = (obstacle, counts) => {
    const report = async () => {
      const marker = formatMarker(await search.marker());
      logger.error({ obstacle, ...counts, marker }, `No orphaned object was removed. ${ADVICE[obstacle]}`);
    };
    report().catch((error: unknown) => logger.error({ err: error, obstacle }, 'no orphaned object was removed'));
  };
  const onFound = (count: number) => {
    metrics.found.inc(count);
    settings.onFound();
  };
  const removals = new RemovalStore(database);
  const parts = { search, bucket, removals, objects, onFound, onObstacle, isStopping: () => stopping };
  const searching = new FindOrphans(parts, { ...ORPHAN_SEARCH, orphansPercentMax: settings.orphansPercentMax });
  let isMarked = false;
  const loop = new PollingLoop({
    name: 'searching orphaned objects',
    pollMs: POLL_MS,
    logger,
    round: async () => {
      // Before the first upload: an empty bucket gets its marker, and one with objects never does.
      if (!isMarked) await bucket.obstacle();
      isMarked = true;
      if (await searching.round()) metrics.passedAt = Date.now() / 1_000;
      return false;
    },
  });
  loop.start();
  shutdown.addPhase('orphan search', STOP_MS, async () => {
    stopping = true;
    await loop.stop();
  });
}

function searchMetrics({ metrics }: Platform, search: OrphanSearchStore) {
  const state = {
    found: metrics.counter('kiln_orphans_found_total', 'Objects without a file that a search has found'),
    passedAt: 0,
  };
  metrics.gauge(
    'kiln_orphan_search_passed_seconds',
    'When this process last finished a search for orphaned objects, as Unix time; 0 when it never has',
    () => state.passedAt,
  );
  metrics.sampledGauge('kiln_orphan_search_obstacle', {
    help: 'Why the last search for orphaned objects has removed nothing: 1 under its reason; no series when it ended as it should',
    labelNames: ['reason'],
    read: async () => {
      const reason = await search.obstacle();
      return reason === null ? [] : [{ labels: { reason }, value: 1 }];
    },
  });
  return state;
}
