import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { webhookKeys, type Webhook } from '../queries.js';

interface DeleteWebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: DeleteWebhookDialogProps) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => kiln.webhooks.delete(webhook.id),
    onSuccess: async () => {
      showToast('The webhook is deleted.');
      onDeleted();
      await cache.invalidateQueries({ queryKey: webhookKeys.list });
    },
  });
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      confirmTitle="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{webhook.url} receives no more events, and its deliveries are deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
