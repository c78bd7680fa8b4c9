// One webhook: its state, its deliveries, and the delivery that is open.
import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { useWebhookActions } from '../hooks/use-webhook-actions.js';
import type { DeliveriesAddress } from '../lib/deliveries-address.js';
import { webhookCalls } from '../lib/webhook-calls.js';
import { webhookQuery } from '../queries.js';
import '../webhooks.css';
import { DeliveriesList } from './deliveries-list.js';
import { DeliveryPanel } from './delivery-panel.js';
import { WebhookHead } from './webhook-head.js';

interface WebhookViewProps {
  webhookId: string;
  address: DeliveriesAddress;
  onAddress: (address: DeliveriesAddress) => void;
  onDeleted: () => void;
}

export function WebhookView({ webhookId, address, onAddress, onDeleted }: WebhookViewProps) {
  const { data: webhook, error, refetch } = useQuery(webhookQuery(useKiln(), webhookId));
  const actions = useWebhookActions(webhookId, ({ id }) => onAddress({ delivery: id }));
  const { delivery, ...filters } = address;
  if (!webhook) return <NotLoaded error={error} refetch={refetch} rows={10} label="Loading the webhook" />;
  return (
    <div className="webhook" data-stale={error !== null}>
      <WebhookHead webhook={webhook} actions={actions} onDeleted={onDeleted} />
      <div className="webhook-body" data-with-delivery={delivery !== undefined}>
        <DeliveriesList webhookId={webhookId} address={address} onAddress={onAddress} />
        {delivery !== undefined && (
          <DeliveryPanel
            key={delivery}
            webhook={webhook}
            deliveryId={delivery}
            resend={actions.resend}
            onClose={() => onAddress(filters)}
          />
        )}
      </div>
      <ActionCommands calls={webhookCalls(webhookId, delivery)} />
    </div>
  );
}
