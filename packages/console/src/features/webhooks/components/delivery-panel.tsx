// A delivery: its payload, the response of the endpoint, the attempts, and a program that verifies the signature.
import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { Button, IconButton } from '../../../ui/button.js';
import { CodeBlock } from '../../../ui/code-block.js';
import { parseTime } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import '../delivery.css';
import type { useWebhookActions } from '../hooks/use-webhook-actions.js';
import { deliveryQuery, type DeliveryDetail, type Webhook } from '../queries.js';
import { AttemptsList } from './attempts-list.js';
import { VerifyPanel } from './verify-panel.js';

interface DeliveryPanelProps {
  webhook: Webhook;
  deliveryId: string;
  resend: ReturnType<typeof useWebhookActions>['resend'];
  onClose: () => void;
}

export function DeliveryPanel({ webhook, deliveryId, resend, onClose }: DeliveryPanelProps) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(useKiln(), webhook.id, deliveryId));
  const mayResend = useMay('webhooks:write') && webhook.active;
  return (
    <section className="delivery card" aria-label="Delivery" data-stale={error !== null && delivery !== undefined}>
      <header>
        <h2>{delivery?.event_type ?? 'Delivery'}</h2>
        {delivery && <StatusBadge status={delivery.status} />}
        {delivery && mayResend && (
          <Button icon="send" disabled={resend.isPending} onClick={() => resend.mutate(delivery.id)}>
            Resend
          </Button>
        )}
        <IconButton icon="close" label="Close the delivery" onClick={onClose} />
      </header>
      {delivery ? (
        <DeliveryBody delivery={delivery} />
      ) : (
        <NotLoaded error={error} refetch={refetch} rows={12} label="Loading the delivery" />
      )}
    </section>
  );
}

function DeliveryBody({ delivery }: { delivery: DeliveryDetail }) {
  const { payload, event_id: eventId, attempts, next_attempt_at: next, attempt } = delivery;
  const last = attempts.at(-1);
  return (
    <div className="delivery-body">
      <h3>Attempts</h3>
      {attempts.length > 0 ? <AttemptsList attempts={attempts} /> : <p className="muted">No attempt has ended yet.</p>}
      {next !== null && attempt > 0 && (
        <p className="muted">The next attempt is at {parseTime(next).toLocaleString()}.</p>
      )}
      {last && last.status_code !== null && (
        <>
          <h3>Response {last.status_code}</h3>
          {last.response_body ? (
            <CodeBlock label="Response body" text={last.response_body} />
          ) : (
            <p className="muted">The response had no body.</p>
          )}
        </>
      )}
      <h3>Payload</h3>
      {payload ? (
        <>
          <CodeBlock label="Payload" text={JSON.stringify(payload, null, 2)} />
          <VerifyPanel eventId={eventId} payload={payload} />
        </>
      ) : (
        <p className="muted">The event is no longer kept. Events are kept for 30 days.</p>
      )}
    </div>
  );
}
