// The numbers of today: processed files, failed files, waiting jobs.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { formatAge, formatCount, formatDuration, parseTime } from '../../../ui/formats.js';
import { queueQuery, timesQuery, volumeQuery } from '../queries.js';
import { DayBars } from './day-bars.js';

/** Only the tiles that the key may read. */
export function Tiles() {
  const maySeeAnalytics = useMay('analytics:read');
  const maySeeJobs = useMay('jobs:read');
  if (!maySeeAnalytics && !maySeeJobs) return null;
  return (
    <div className="tiles">
      {maySeeAnalytics && <VolumeTiles />}
      {maySeeJobs && <QueueTile />}
      {maySeeAnalytics && <TimeTile />}
    </div>
  );
}

function VolumeTiles() {
  const { data, isError } = useQuery(volumeQuery(useKiln()));
  const today = data?.at(-1);
  const hasFailed = today !== undefined && today.failed > 0;
  return (
    <>
      <Tile title="Processed today" value={today && formatCount(today.processed)} isStale={isError}>
        {data && <DayBars days={data} />}
      </Tile>
      <Tile title="Failed today" value={today && formatCount(today.failed)} isBad={hasFailed} isStale={isError}>
        {today &&
          (hasFailed ? `${formatCount(today.processed + today.failed)} jobs have ended.` : 'No job has failed.')}
      </Tile>
    </>
  );
}

function QueueTile() {
  const { data, isError } = useQuery(queueQuery(useKiln()));
  return (
    <Tile title="In the queue" value={data && `${formatCount(data.count)}${data.isPart ? '+' : ''}`} isStale={isError}>
      {data &&
        (data.oldestAt ? `The oldest came ${formatAge(parseTime(data.oldestAt), new Date())}.` : 'Nothing waits.')}
    </Tile>
  );
}

function TimeTile() {
  const { data, isError } = useQuery(timesQuery(useKiln()));
  const isKnown = data !== undefined && data.p50_ms > 0;
  return (
    <Tile title="Typical time" value={data && (isKnown ? timeText(data.p50_ms) : '–')} isStale={isError}>
      {data && (isKnown ? `95 % within ${timeText(data.p95_ms)}, last 24 hours.` : 'No job completed in 24 hours.')}
    </Tile>
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
