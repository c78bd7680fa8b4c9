import { Dialog } from '../../../ui/dialog.js';

interface DeleteDialogProps {
  /** `3 files`. */
  what: string;
  onClose: () => void;
  onConfirm: () => void;
}

export function DeleteDialog({ what, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <Dialog
      title={`Delete ${what}?`}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Keep
          </button>
          <button type="button" className="button button-danger" onClick={onConfirm}>
            Delete {what}
          </button>
        </>
      }
    >
      <p className="muted">
        Their variants and jobs are deleted, too, and searches no longer find them. This cannot be undone.
      </p>
    </Dialog>
  );
}
