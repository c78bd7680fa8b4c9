import { Dialog } from '../../../ui/dialog.js';
import { SyncPreview } from './sync-preview.js';

interface PreviewDialogProps {
  connectionId: string;
  onSync: () => void;
  onClose: () => void;
}

export function PreviewDialog({ connectionId, onSync, onClose }: PreviewDialogProps) {
  return (
    <Dialog
      title="Preview of a sync"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button type="button" className="button button-primary" onClick={onSync}>
            Sync now
          </button>
        </>
      }
    >
      <SyncPreview connectionId={connectionId} />
    </Dialog>
  );
}
