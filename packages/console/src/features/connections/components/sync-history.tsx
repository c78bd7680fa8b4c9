import { formatCount } from '../../../ui/formats.js';
import { LoadMore } from '../../../ui/load-more.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import '../../../ui/data-table.css';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import type { useSyncs } from '../hooks/use-syncs.js';
import { changesText, durationText } from '../lib/sync-texts.js';
import type { Sync } from '../queries.js';

interface SyncHistoryProps {
  history: ReturnType<typeof useSyncs>['history'];
  /** Null if the key may not sync, or while a sync is under way. */
  onStart: (() => void) | null;
}

export function SyncHistory({ history, onStart }: SyncHistoryProps) {
  const { data, error, refetch } = history;
  const syncs = data?.pages.flatMap((page) => page.syncs) ?? [];
  if (syncs.length === 0) {
    if (error) return <Failed error={error} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={6} label="Loading the syncs" />;
    return (
      <Notice
        icon="refresh"
        title="No syncs yet"
        action={
          onStart && (
            <button type="button" className="button" onClick={onStart}>
              Sync for the first time
            </button>
          )
        }
      >
        A sync lists the bucket, so that its objects can be processed. It reads none of them.
      </Notice>
    );
  }
  return (
    <>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of syncs">
        <table className="data-table syncs-table">
          <thead>
            <tr>
              <th scope="col">Started</th>
              <th scope="col">Status</th>
              <th scope="col">Objects</th>
              <th scope="col">Result</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {syncs.map((sync) => (
              <SyncRow key={sync.id} sync={sync} />
            ))}
          </tbody>
        </table>
      </div>
      <LoadMore list={history} />
    </>
  );
}

function SyncRow({ sync }: { sync: Sync }) {
  const { status, started_at: startedAt, synced_count: count, error } = sync;
  return (
    <tr>
      <th scope="row">{startedAt === null ? 'Waiting' : <Time value={startedAt} />}</th>
      <td>
        <StatusBadge status={status} />
      </td>
      <td className="muted">{formatCount(count)}</td>
      <td className="muted sync-result">{error ? error.message : (changesText(sync) ?? '–')}</td>
      <td className="muted">{durationText(sync) ?? '–'}</td>
    </tr>
  );
}
