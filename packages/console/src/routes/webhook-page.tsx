import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { WebhookView } from '../features/webhooks/components/webhook-view.js';

/** The filter and the open delivery are in the address, so that they can be shared and gone back to. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const address = useSearch({ from: '/webhooks/$webhookId' });
  const navigate = useNavigate();
  return (
    <>
      <title>Webhook – Kiln</title>
      <WebhookView
        key={webhookId}
        webhookId={webhookId}
        address={address}
        onAddress={(search) => void navigate({ to: '/webhooks/$webhookId', params: { webhookId }, search })}
        onDeleted={() => void navigate({ to: '/webhooks' })}
      />
    </>
  );
}
