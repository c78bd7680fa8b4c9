import { useState } from 'react';
import type { ApiCall } from '../../../ui/api-call.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { requestOf, type WebhookForm, type WebhookRequest } from '../lib/webhook-form.js';
import { WebhookFields } from './webhook-fields.js';

interface WebhookFormDialogProps {
  title: string;
  initial: WebhookForm;
  submitTitle: string;
  /** A new webhook is always active. */
  hasState: boolean;
  action: { mutate: (request: WebhookRequest) => void; isPending: boolean; error: unknown };
  callOf: (request: WebhookRequest) => ApiCall;
  onClose: () => void;
}

export function WebhookFormDialog(props: WebhookFormDialogProps) {
  const { title, initial, submitTitle, hasState, action, callOf, onClose } = props;
  const [form, setForm] = useState(initial);
  const request = requestOf(form);
  return (
    <FormDialog
      title={title}
      submitTitle={submitTitle}
      isReady={request !== null && !action.isPending}
      error={action.error}
      call={request && callOf(request)}
      onSubmit={() => request && action.mutate(request)}
      onClose={onClose}
    >
      <WebhookFields form={form} hasState={hasState} onChange={setForm} />
    </FormDialog>
  );
}
