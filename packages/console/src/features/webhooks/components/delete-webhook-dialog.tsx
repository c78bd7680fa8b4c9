import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { webhookKeys, type Webhook } from '../queries.js';

interface DeleteWebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: DeleteWebhookDialogProps) {
  const remove = useAction({
    run: (kiln) => kiln.webhooks.delete(webhook.id),
    done: 'The webhook is deleted.',
    onDone: onDeleted,
    refresh: webhookKeys.list,
  });
  return (
    <ConfirmDialog title="Delete the webhook?" confirmTitle="Delete" action={remove} onClose={onClose}>
      <p>{webhook.url} receives no more events, and its deliveries are deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
