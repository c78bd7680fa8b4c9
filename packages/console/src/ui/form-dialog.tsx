import { useId, type FormEvent, type ReactNode } from 'react';
import { ActionCommands } from './action-commands.js';
import type { ApiCall } from './api-call.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { FormError } from './form-error.js';

interface FormDialogProps {
  title: string;
  submitTitle: string;
  /** Whether nothing is missing, and no request is under way. */
  isReady: boolean;
  /** Why the request failed, unless a field shows it. */
  error: unknown;
  /** The request, to be copied as a command. */
  call?: ApiCall | null;
  children: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { title, submitTitle, isReady, error, call, children, onSubmit, onClose } = props;
  const formId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" form={formId} disabled={!isReady}>
            {submitTitle}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={submit} noValidate autoComplete="off">
        {children}
        <FormError error={error} />
        {call && <ActionCommands calls={[call]} />}
      </form>
    </Dialog>
  );
}
