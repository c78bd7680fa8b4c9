import { Link } from '@tanstack/react-router';
import { serverIsAway } from '../../../api/connectivity.js';
import { useMay } from '../../../api/me.js';
import { useStore } from '../../../api/use-store.js';
import { Icon } from '../../../ui/icon.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { Notice } from '../../../ui/view-states.js';
import { useLiveFiles } from '../hooks/use-live-files.js';
import type { LiveFile } from '../lib/live-files.js';

export function LiveList() {
  const { data, error, refetch, stream } = useLiveFiles();
  return (
    <section className="card" aria-labelledby="live-title">
      <header>
        <h2 id="live-title">Activity</h2>
        <LiveMark isStreamed={stream === 'open'} />
      </header>
      {data ? (
        <Rows rows={data} />
      ) : (
        <NotLoaded error={error} refetch={refetch} rows={6} label="Loading the activity" />
      )}
    </section>
  );
}

function LiveMark({ isStreamed }: { isStreamed: boolean }) {
  const isAway = useStore(serverIsAway);
  if (isAway) return <span className="live-mark">Reconnecting</span>;
  if (isStreamed) {
    return (
      <span className="live-mark" data-live>
        Live
      </span>
    );
  }
  return (
    <span className="live-mark" title="The key lacks the scope webhooks:read, or has too many pages open for events.">
      Every 5 s
    </span>
  );
}

function Rows({ rows }: { rows: readonly LiveFile[] }) {
  const mayUpload = useMay('files:write');
  if (rows.length === 0) {
    return (
      <Notice icon="files" title="No files yet">
        {mayUpload
          ? 'Drop a document above, or load the samples: five small files that show what Kiln reads.'
          : 'Files appear here when they are uploaded. This key may not upload: it lacks the scope files:write.'}
      </Notice>
    );
  }
  return (
    <ul className="live-list" aria-label="Files that changed last">
      {rows.map((row) => (
        <li key={row.id}>
          <Icon name="file" />
          <span className="live-name">
            <Link className="file-link" to="/files/$fileId" params={{ fileId: row.id }} title={row.filename}>
              {row.filename}
            </Link>
            {row.error !== null && <span className="live-error">{row.error}</span>}
          </span>
          <span className="live-space muted">{row.space}</span>
          <span>
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
