import { Icon } from '../../../ui/icon.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import { useLiveFiles } from '../hooks/use-live-files.js';
import type { LiveFile } from '../lib/live-files.js';

export function LiveList() {
  const { data, error, refetch, stream } = useLiveFiles();
  return (
    <section className="card" aria-labelledby="live-title">
      <header>
        <h2 id="live-title">Activity</h2>
        <span className="live-mark" data-live={stream === 'open'} title={stream === 'open' ? undefined : NO_SCOPE}>
          {stream === 'open' ? 'Live' : 'Every 5 s'}
        </span>
      </header>
      {data ? (
        <Rows rows={data} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} label="Loading the activity" />
      )}
    </section>
  );
}

const NO_SCOPE = 'The key lacks the scope webhooks:read, so events are not streamed.';

function Rows({ rows }: { rows: readonly LiveFile[] }) {
  if (rows.length === 0) {
    return (
      <Notice icon="files" title="No files yet">
        Drop a document above, or load the samples: five small files that show what Kiln reads.
      </Notice>
    );
  }
  return (
    <ul className="live-list" aria-label="Files that changed last">
      {rows.map((row) => (
        <li key={row.id}>
          <Icon name="file" />
          <span className="live-name">
            <strong title={row.filename}>{row.filename}</strong>
            {row.error !== null && <span className="live-error">{row.error}</span>}
          </span>
          <span className="live-space muted">{row.space}</span>
          <span className="live-state">
            {row.progress === null ? (
              <StatusBadge status={row.status} />
            ) : (
              <ProgressBar value={row.progress} label={`${row.filename}: ${row.step ?? 'processing'}`} />
            )}
          </span>
          <span className="live-time muted">
            <Time value={row.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
