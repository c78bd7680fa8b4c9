// The actions on the selected files, and their progress.
import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { formatCount, plural } from '../../../ui/formats.js';
import type { IconName } from '../../../ui/icon.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import type { RunningBulk } from '../hooks/use-bulk.js';
import { applies, type BulkAction, type FileRow } from '../lib/bulk.js';
import { EVERYTHING, NOTHING, type Selection } from '../lib/selection.js';

interface BulkBarProps {
  selection: Selection;
  rows: readonly FileRow[];
  /** How many files match the filters, if that is known. */
  total: number | undefined;
  running: RunningBulk | null;
  onRun: (action: BulkAction) => void;
  onSelect: (selection: Selection) => void;
}

const actions: readonly { action: BulkAction; title: string; icon: IconName; scope: 'files:write' | 'jobs:write' }[] = [
  { action: 'retry', title: 'Retry', icon: 'refresh', scope: 'jobs:write' },
  { action: 'cancel', title: 'Cancel', icon: 'stop', scope: 'jobs:write' },
  { action: 'reprocess', title: 'Reprocess', icon: 'play', scope: 'files:write' },
  { action: 'delete', title: 'Delete', icon: 'trash', scope: 'files:write' },
];

export function BulkBar({ selection, rows, total, running, onRun, onSelect }: BulkBarProps) {
  const [isAsking, setAsking] = useState(false);
  const may = { 'files:write': useMay('files:write'), 'jobs:write': useMay('jobs:write') };
  if (running) return <RunningBar running={running} />;
  const { ids, isAll } = selection;
  if (!isAll && ids.size === 0) return null;
  const chosen = isAll ? rows : rows.filter(({ id }) => ids.has(id));
  const countText = isAll
    ? `all ${total === undefined ? 'matching files' : plural(total, 'file')}`
    : plural(ids.size, 'file');
  const hasMore = !isAll && ids.size === rows.length && total !== rows.length;
  const start = (action: BulkAction) => (action === 'delete' ? setAsking(true) : onRun(action));
  return (
    <div className="bulk-bar" role="region" aria-label="Selected files">
      <strong>{isAll ? countText.charAt(0).toUpperCase() + countText.slice(1) : countText} selected</strong>
      {hasMore && (
        <button type="button" className="link-button" onClick={() => onSelect(EVERYTHING)}>
          Select all {total === undefined ? 'that match' : formatCount(total)}
        </button>
      )}
      <span className="bulk-actions">
        {actions
          .filter(({ scope }) => may[scope])
          .map(({ action, title, icon }) => (
            <Button
              icon={icon}
              key={action}
              disabled={!isAll && !chosen.some((file) => applies(action, file))}
              onClick={() => start(action)}
            >
              {title}
            </Button>
          ))}
        <IconButton icon="close" label="Clear the selection" onClick={() => onSelect(NOTHING)} />
      </span>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${countText}?`}
          confirmTitle={`Delete ${countText}`}
          action={{
            mutate: () => {
              setAsking(false);
              onRun('delete');
            },
          }}
          onClose={() => setAsking(false)}
        >
          <p>Their variants and jobs are deleted, too, and searches no longer find them. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

const under = { delete: 'Deleting', reprocess: 'Queueing', retry: 'Retrying', cancel: 'Cancelling' } as const;

function RunningBar({ running: { action, done, total, stop } }: { running: RunningBulk }) {
  return (
    <div className="bulk-bar" role="region" aria-label="Action under way">
      <strong>{under[action]}</strong>
      <span className="muted">
        {total === null ? 'Counting the files' : `${formatCount(done)} of ${plural(total, 'file')}`}
      </span>
      <div className="bulk-progress">
        <ProgressBar value={total ? done / total : 0} label={`${under[action]} files`} />
      </div>
      <Button icon="stop" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}
