import { ConfirmDialog } from '../../../ui/confirm-dialog.js';

interface DeleteFileDialogProps {
  filename: string;
  isPending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function DeleteFileDialog({ filename, ...rest }: DeleteFileDialogProps) {
  return (
    <ConfirmDialog title="Delete this file?" confirmTitle="Delete the file" {...rest}>
      <p className="file-dialog-name">
        <strong>{filename}</strong>
      </p>
      <p>Its variants and jobs are deleted, too, and searches no longer find it. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
