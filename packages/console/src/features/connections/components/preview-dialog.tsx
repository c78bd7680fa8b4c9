import { Button } from '../../../ui/button.js';
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
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" onClick={onSync}>
            Sync now
          </Button>
        </>
      }
    >
      <SyncPreview connectionId={connectionId} />
    </Dialog>
  );
}
