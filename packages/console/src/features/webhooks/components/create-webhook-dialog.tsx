import { SecretDialog } from '../../../ui/secret-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { createCall } from '../lib/webhook-calls.js';
import { EMPTY_FORM, type WebhookRequest } from '../lib/webhook-form.js';
import { webhookKeys } from '../queries.js';
import { WebhookFormDialog } from './webhook-form-dialog.js';

/** After the creation it shows the secret, once. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const create = useAction({
    run: (kiln, request: WebhookRequest) => kiln.webhooks.create(bodyOf(request)),
    refresh: webhookKeys.list,
  });
  if (create.data) return <SigningSecretDialog secret={create.data.secret} onClose={onClose} />;
  return (
    <WebhookFormDialog
      title="Create a webhook"
      initial={EMPTY_FORM}
      submitTitle="Create"
      hasState={false}
      action={create}
      callOf={(request) => createCall(bodyOf(request))}
      onClose={onClose}
    />
  );
}

const bodyOf = ({ url, events, spaces }: WebhookRequest) => ({ url, events, spaces, headers: {} });

export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="The signing secret"
      text="Copy the secret now. It is not shown again. Receivers verify with it that a request is from Kiln."
      value={secret}
      copyTitle="Copy the secret"
      onClose={onClose}
    />
  );
}
