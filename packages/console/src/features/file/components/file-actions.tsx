import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import type { IconName } from '../../../ui/icon.js';
import { useFileActions } from '../hooks/use-file-actions.js';
import type { FileDetail } from '../queries.js';
import { ReprocessDialog } from './reprocess-dialog.js';

/** Only what the key may do, and what the state of the file permits. */
export function FileActions({ file, onDeleted }: { file: FileDetail; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<'reprocess' | 'delete' | null>(null);
  const { retry, cancel, download, reprocess, remove } = useFileActions(file, onDeleted);
  const mayWrite = useMay('files:write');
  const mayRunJobs = useMay('jobs:write') && file.job_id !== null;
  const close = () => setDialog(null);
  const { status } = file;
  const isUnderWay = status === 'processing' || status === 'uploading';
  return (
    <div className="actions">
      {mayRunJobs && status === 'failed' && <ActionButton title="Retry" icon="refresh" action={retry} />}
      {mayRunJobs && isUnderWay && <ActionButton title="Cancel" icon="stop" action={cancel} />}
      {status !== 'uploading' && <ActionButton title="Download" icon="arrowDown" action={download} />}
      {mayWrite && status !== 'uploading' && (
        <Button icon="play" onClick={() => setDialog('reprocess')}>
          Reprocess
        </Button>
      )}
      {mayWrite && (
        <Button icon="trash" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      {dialog === 'reprocess' && (
        <ReprocessDialog
          file={file}
          onClose={close}
          onConfirm={(variants) => {
            close();
            reprocess.mutate(variants);
          }}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this file?"
          confirmTitle="Delete the file"
          action={{ mutate: remove.mutate, isPending: remove.isPending }}
          onClose={close}
        >
          <p className="file-dialog-name">
            <strong>{file.filename}</strong>
          </p>
          <p>Its variants and jobs are deleted, too, and searches no longer find it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface ActionButtonProps {
  title: string;
  icon: IconName;
  action: { isPending: boolean; mutate: () => void };
}

function ActionButton({ title, icon, action: { isPending, mutate } }: ActionButtonProps) {
  return (
    <Button icon={icon} disabled={isPending} onClick={() => mutate()}>
      {title}
    </Button>
  );
}
