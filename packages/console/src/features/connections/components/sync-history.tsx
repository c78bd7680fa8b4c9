import { Button } from '../../../ui/button.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { formatCount } from '../../../ui/formats.js';
import { LoadMore } from '../../../ui/load-more.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { Notice } from '../../../ui/view-states.js';
import type { useSyncs } from '../hooks/use-syncs.js';
import { changesText, durationText } from '../lib/sync-texts.js';
import type { Sync } from '../queries.js';

interface SyncHistoryProps {
  history: ReturnType<typeof useSyncs>['history'];
  /** Null if the key may not sync, or while a sync is under way. */
  onStart: (() => void) | null;
}

const columns: readonly Column<Sync>[] = [
  {
    title: 'Started',
    className: 'short',
    cell: ({ started_at: time }) => (time === null ? 'Waiting' : <Time value={time} />),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Objects', className: 'short muted', cell: ({ synced_count: count }) => formatCount(count) },
  { title: 'Result', className: 'syncs-result muted', cell: (sync) => sync.error?.message ?? changesText(sync) ?? '–' },
  { title: 'Duration', className: 'short muted', cell: (sync) => durationText(sync) ?? '–' },
];

export function SyncHistory({ history, onStart }: SyncHistoryProps) {
  const { data, error, refetch } = history;
  const syncs = data?.pages.flatMap((page) => page.syncs) ?? [];
  if (syncs.length > 0) {
    return (
      <>
        <DataTable label="Syncs" columns={columns} rows={syncs} keyOf={({ id }) => id} />
        <LoadMore list={history} />
      </>
    );
  }
  if (error || !data) return <NotLoaded error={error} refetch={refetch} rows={6} label="Loading the syncs" />;
  return (
    <Notice
      icon="refresh"
      title="No syncs yet"
      action={onStart && <Button onClick={onStart}>Sync for the first time</Button>}
    >
      A sync lists the bucket, so that its objects can be processed. It reads none of them.
    </Notice>
  );
}
