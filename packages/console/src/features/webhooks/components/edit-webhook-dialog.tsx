import { useAction } from '../../../ui/use-action.js';
import { updateCall } from '../lib/webhook-calls.js';
import { formOf } from '../lib/webhook-form.js';
import { webhookKeys, type Webhook } from '../queries.js';
import { WebhookFormDialog, type WebhookRequest } from './webhook-form-dialog.js';

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useAction({
    run: (kiln, request: WebhookRequest) => kiln.webhooks.update(webhook.id, request),
    done: 'The webhook is changed.',
    onDone: onClose,
    refresh: webhookKeys.all,
  });
  return (
    <WebhookFormDialog
      title="Edit the webhook"
      initial={formOf(webhook)}
      submitTitle="Save"
      hasState
      action={update}
      callOf={(request) => updateCall(webhook.id, request)}
      onClose={onClose}
    />
  );
}
