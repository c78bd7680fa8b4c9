import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Icon, type IconName } from '../../../ui/icon.js';
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
      {mayRunJobs && status === 'failed' && <Action title="Retry" icon="refresh" {...actionOf(actions.retry)} />}
      {mayRunJobs && isUnderWay && <Action title="Cancel" icon="stop" {...actionOf(actions.cancel)} />}
      {status !== 'uploading' && <Action title="Download" icon="arrowDown" {...actionOf(actions.download)} />}
      {mayWrite && status !== 'uploading' && (
        <Action title="Reprocess" icon="play" onClick={() => setDialog('reprocess')} />
      )}
      {mayWrite && <Action title="Delete" icon="trash" onClick={() => setDialog('delete')} />}
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

interface ActionProps {
  title: string;
  icon: IconName;
  isPending?: boolean;
  onClick: () => void;
}

function Action({ title, icon, isPending = false, onClick }: ActionProps) {
  return (
    <button type="button" className="button" disabled={isPending} onClick={onClick}>
      <Icon name={icon} /> {title}
    </button>
  );
}

const actionOf = ({ isPending, mutate }: { isPending: boolean; mutate: () => void }) => ({
  isPending,
  onClick: () => mutate(),
});
