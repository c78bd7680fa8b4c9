import { Dialog } from '../../../ui/dialog.js';

interface DeleteFileDialogProps {
  filename: string;
  isPending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function DeleteFileDialog({ filename, isPending, onClose, onConfirm }: DeleteFileDialogProps) {
  return (
    <Dialog
      title="Delete this file?"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Keep
          </button>
          <button type="button" className="button button-danger" disabled={isPending} onClick={onConfirm}>
            Delete the file
          </button>
        </>
      }
    >
      <p className="file-dialog-name">
        <strong>{filename}</strong>
      </p>
      <p className="muted">
        Its variants and jobs are deleted, too, and searches no longer find it. This cannot be undone.
      </p>
    </Dialog>
  );
}
