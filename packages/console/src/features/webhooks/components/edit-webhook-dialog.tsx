import { useState } from 'react';
import { useAction } from '../../../ui/use-action.js';
import { updateCall } from '../lib/webhook-calls.js';
import { changesOf, formOf, type WebhookRequest } from '../lib/webhook-form.js';
import { webhookKeys, type Webhook } from '../queries.js';
import { WebhookFormDialog } from './webhook-form-dialog.js';

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [before] = useState(() => formOf(webhook));
  const update = useAction({
    run: (kiln, request: WebhookRequest) => kiln.webhooks.update(webhook.id, changesOf(before, request)),
    done: 'The webhook is changed.',
    onDone: onClose,
    refresh: webhookKeys.all,
  });
  return (
    <WebhookFormDialog
      title="Edit the webhook"
      initial={before}
      submitTitle="Save"
      hasState
      action={update}
      callOf={(request) => updateCall(webhook.id, changesOf(before, request))}
      onClose={onClose}
    />
  );
}
