import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { useFileActions } from '../hooks/use-file-actions.js';
import type { FileDetail } from '../queries.js';
import { DeleteFileDialog } from './delete-file-dialog.js';
import { ReprocessDialog } from './reprocess-dialog.js';

/** Only what the key may do, and what the state of the file permits. */
export function FileActions({ file, onDeleted }: { file: FileDetail; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<'reprocess' | 'delete' | null>(null);
  const actions = useFileActions(file, onDeleted);
  const mayWrite = useMay('files:write');
  const mayRunJobs = useMay('jobs:write') && file.job_id !== null;
  const close = () => setDialog(null);
  const { status } = file;
  const isUnderWay = status === 'processing' || status === 'uploading';
  return (
    <div className="file-actions">
      {mayRunJobs && status === 'failed' && (
        <button
          type="button"
          className="button"
          disabled={actions.retry.isPending}
          onClick={() => actions.retry.mutate()}
        >
          <Icon name="refresh" /> Retry
        </button>
      )}
      {mayRunJobs && isUnderWay && (
        <button
          type="button"
          className="button"
          disabled={actions.cancel.isPending}
          onClick={() => actions.cancel.mutate()}
        >
          <Icon name="stop" /> Cancel
        </button>
      )}
      {status !== 'uploading' && (
        <button
          type="button"
          className="button"
          disabled={actions.download.isPending}
          onClick={() => actions.download.mutate()}
        >
          <Icon name="arrowDown" /> Download
        </button>
      )}
      {mayWrite && status !== 'uploading' && (
        <button type="button" className="button" onClick={() => setDialog('reprocess')}>
          <Icon name="play" /> Reprocess
        </button>
      )}
      {mayWrite && (
        <button type="button" className="button" onClick={() => setDialog('delete')}>
          <Icon name="trash" /> Delete
        </button>
      )}
      {dialog === 'reprocess' && (
        <ReprocessDialog
          file={file}
          onClose={close}
          onConfirm={(variants) => {
            close();
            actions.reprocess.mutate(variants);
          }}
        />
      )}
      {dialog === 'delete' && (
        <DeleteFileDialog
          filename={file.filename}
          isPending={actions.remove.isPending}
          onClose={close}
          onConfirm={() => actions.remove.mutate()}
        />
      )}
    </div>
  );
}
