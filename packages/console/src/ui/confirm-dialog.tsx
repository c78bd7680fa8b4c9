import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { FormError } from './form-error.js';

interface ConfirmDialogProps {
  title: string;
  confirmTitle: string;
  action: { mutate: () => void; isPending?: boolean; error?: unknown };
  children: ReactNode;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, confirmTitle, action, children, onClose }: ConfirmDialogProps) {
  const { mutate, isPending = false, error = null } = action;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={isPending} onClick={() => mutate()}>
            {confirmTitle}
          </Button>
        </>
      }
    >
      <div className="muted">{children}</div>
      <FormError error={error} />
    </Dialog>
  );
}
