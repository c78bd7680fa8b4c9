import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { showToast } from '../../../ui/toasts.js';
import { updateCall } from '../lib/webhook-calls.js';
import { formOf } from '../lib/webhook-form.js';
import { webhookKeys, type Webhook } from '../queries.js';
import { WebhookFormDialog, type WebhookRequest } from './webhook-form-dialog.js';

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const update = useMutation({
    mutationFn: (request: WebhookRequest) => kiln.webhooks.update(webhook.id, request),
    onSuccess: async () => {
      showToast('The webhook is changed.');
      onClose();
      await cache.invalidateQueries({ queryKey: webhookKeys.all });
    },
  });
  return (
    <WebhookFormDialog
      title="Edit the webhook"
      initial={formOf(webhook)}
      submitTitle="Save"
      hasState
      isPending={update.isPending}
      error={update.error}
      callOf={(request) => updateCall(webhook.id, request)}
      onSubmit={(request) => update.mutate(request)}
      onClose={onClose}
    />
  );
}
