import { ConfirmDialog } from '../../../ui/confirm-dialog.js';

interface DeleteDialogProps {
  /** `3 files`. */
  what: string;
  onClose: () => void;
  onConfirm: () => void;
}

export function DeleteDialog({ what, ...rest }: DeleteDialogProps) {
  return (
    <ConfirmDialog title={`Delete ${what}?`} confirmTitle={`Delete ${what}`} {...rest}>
      <p>Their variants and jobs are deleted, too, and searches no longer find them. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
