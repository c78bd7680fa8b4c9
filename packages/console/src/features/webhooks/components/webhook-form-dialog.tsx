import { useId, useState, type FormEvent } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import type { ApiCall } from '../../../ui/api-call.js';
import { errorText } from '../../../api/error-text.js';
import { Dialog } from '../../../ui/dialog.js';
import { requestOf, type WebhookForm } from '../lib/webhook-form.js';
import { WebhookFields } from './webhook-fields.js';

export type WebhookRequest = NonNullable<ReturnType<typeof requestOf>> & { active: boolean };

interface WebhookFormDialogProps {
  title: string;
  initial: WebhookForm;
  submitTitle: string;
  hasState: boolean;
  isPending: boolean;
  error: unknown;
  callOf: (request: WebhookRequest) => ApiCall;
  onSubmit: (request: WebhookRequest) => void;
  onClose: () => void;
}

export function WebhookFormDialog(props: WebhookFormDialogProps) {
  const { title, initial, submitTitle, hasState, isPending, error, callOf, onSubmit, onClose } = props;
  const formId = useId();
  const [form, setForm] = useState(initial);
  const fields = requestOf(form);
  const request = fields && { ...fields, active: form.active };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request && !isPending) onSubmit(request);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button button-primary" disabled={!request || isPending}>
            {submitTitle}
          </button>
        </>
      }
    >
      <form id={formId} className="webhook-form" onSubmit={submit}>
        <WebhookFields form={form} hasState={hasState} onChange={setForm} />
        {error !== null && (
          <p className="form-error" role="alert">
            {errorText(error).detail}
          </p>
        )}
        {request && <ActionCommands calls={[callOf(request)]} />}
      </form>
    </Dialog>
  );
}
