import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { SyncPreview } from './sync-preview.js';

interface ForceDialogProps {
  connectionId: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function ForceDialog({ connectionId, onConfirm, onClose }: ForceDialogProps) {
  return (
    <ConfirmDialog
      title="Sync with force?"
      confirmTitle="Sync and remove"
      action={{ mutate: onConfirm }}
      onClose={onClose}
    >
      <p>
        Kiln forgets every object that is no longer in the bucket, however many there are. Check first that the bucket
        and the rights of the credentials are still the right ones.
      </p>
      <SyncPreview connectionId={connectionId} />
    </ConfirmDialog>
  );
}
