// What was processed today, what failed, and what waits.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { formatAge, formatCount, formatDuration, parseTime } from '../../../ui/formats.js';
import { queueQuery, timesQuery, volumeQuery } from '../queries.js';
import { DayBars } from './day-bars.js';

export function Tiles() {
  const kiln = useKiln();
  const maySeeAnalytics = useMay('analytics:read');
  const maySeeJobs = useMay('jobs:read');
  const volume = useQuery({ ...volumeQuery(kiln), enabled: maySeeAnalytics });
  const times = useQuery({ ...timesQuery(kiln), enabled: maySeeAnalytics });
  const queue = useQuery({ ...queueQuery(kiln), enabled: maySeeJobs });
  const today = volume.data?.at(-1);
  const waiting = queue.data;
  return (
    <div className="tiles">
      <Tile title="Processed today" value={today && formatCount(today.processed)} isStale={volume.isError}>
        {volume.data && <DayBars days={volume.data} />}
      </Tile>
      <Tile
        title="Failed today"
        value={today && formatCount(today.failed)}
        isBad={today !== undefined && today.failed > 0}
        isStale={volume.isError}
      >
        {today &&
          (today.failed === 0
            ? 'No job has failed.'
            : `${formatCount(today.processed + today.failed)} jobs have ended.`)}
      </Tile>
      <Tile
        title="In the queue"
        value={waiting && `${formatCount(waiting.count)}${waiting.isPart ? '+' : ''}`}
        isStale={queue.isError}
      >
        {waiting &&
          (waiting.oldestAt
            ? `The oldest came ${formatAge(parseTime(waiting.oldestAt), new Date())}.`
            : 'Nothing waits.')}
      </Tile>
      <Tile
        title="Typical time"
        value={times.data && (times.data.p50_ms > 0 ? timeText(times.data.p50_ms) : '–')}
        isStale={times.isError}
      >
        {times.data &&
          (times.data.p50_ms > 0
            ? `95 % within ${timeText(times.data.p95_ms)}, last 24 hours.`
            : 'No job completed in 24 hours.')}
      </Tile>
    </div>
  );
}

const timeText = (ms: number) => (ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms / 1_000));

interface TileProps {
  title: string;
  /** Undefined while it is not known. */
  value: string | undefined;
  isBad?: boolean;
  isStale: boolean;
  children: ReactNode;
}

function Tile({ title, value, isBad = false, isStale, children }: TileProps) {
  return (
    <section className="tile card" data-stale={isStale} data-bad={isBad} aria-label={title}>
      <h2>{title}</h2>
      <p className="tile-value">{value ?? <span className="tile-unknown">{isStale ? 'not known' : '…'}</span>}</p>
      <div className="tile-note muted">{children}</div>
    </section>
  );
}
