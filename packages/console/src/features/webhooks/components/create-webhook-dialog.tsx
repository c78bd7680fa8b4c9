import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { createCall } from '../lib/webhook-calls.js';
import { EMPTY_FORM } from '../lib/webhook-form.js';
import { webhookKeys } from '../queries.js';
import { SigningSecretDialog } from './signing-secret-dialog.js';
import { WebhookFormDialog, type WebhookRequest } from './webhook-form-dialog.js';

/** After the creation it shows the secret, once. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const create = useMutation({
    mutationFn: (request: WebhookRequest) => kiln.webhooks.create(bodyOf(request)),
    // The secret is forgotten with the dialog.
    gcTime: 0,
    onSuccess: () => cache.invalidateQueries({ queryKey: webhookKeys.list }),
  });
  if (create.data) return <SigningSecretDialog secret={create.data.secret} onClose={onClose} />;
  return (
    <WebhookFormDialog
      title="Create a webhook"
      initial={EMPTY_FORM}
      submitTitle="Create"
      hasState={false}
      isPending={create.isPending}
      error={create.error}
      callOf={(request) => createCall(bodyOf(request))}
      onSubmit={(request) => create.mutate(request)}
      onClose={onClose}
    />
  );
}

const bodyOf = ({ url, events, spaces }: WebhookRequest) => ({ url, events, spaces, headers: {} });
