import type { ReactNode } from 'react';
import { errorText } from '../api/error-text.js';
import { Dialog } from './dialog.js';

interface ConfirmDialogProps {
  title: string;
  confirmTitle: string;
  isPending?: boolean;
  error?: unknown;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmTitle, isPending = false, error = null, children, onConfirm, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button button-danger" disabled={isPending} onClick={onConfirm}>
            {confirmTitle}
          </button>
        </>
      }
    >
      <div className="muted">{children}</div>
      {error !== null && (
        <p className="form-error" role="alert">
          {errorText(error).detail}
        </p>
      )}
    </Dialog>
  );
}
