import { Fact, Facts } from '../../../ui/facts.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import type { useWebhookActions } from '../hooks/use-webhook-actions.js';
import type { Webhook } from '../queries.js';
import { WebhookActions } from './webhook-actions.js';
import { stateOf, typesText } from './webhooks-table.js';

interface WebhookHeadProps {
  webhook: Webhook;
  actions: ReturnType<typeof useWebhookActions>;
  onDeleted: () => void;
}

const disabledTexts = {
  gone: 'Kiln disabled the webhook: its endpoint answered 410. Edit it to make it active again.',
  failing: 'Kiln disabled the webhook: no delivery succeeded for five days. Edit it to make it active again.',
} as const;

export function WebhookHead({ webhook, actions, onDeleted }: WebhookHeadProps) {
  const { id, url, events, spaces, failing_since: failingSince, last_error: lastError } = webhook;
  return (
    <header>
      <div className="page-head page-title">
        <h1>{url}</h1>
        <WebhookActions webhook={webhook} actions={actions} onDeleted={onDeleted} />
      </div>
      <Facts id={id}>
        <Fact name="State">
          <StatusBadge status={stateOf(webhook)} />
        </Fact>
        <Fact name="Event types">{typesText(events)}</Fact>
        <Fact name="Spaces">{spaces?.join(', ') ?? 'All'}</Fact>
        <Fact name="Created">
          <Time value={webhook.created_at} />
        </Fact>
      </Facts>
      {webhook.disabled_reason && <p className="form-note head-note">{disabledTexts[webhook.disabled_reason]}</p>}
      {failingSince !== null && (
        <p className="form-note head-note">
          Deliveries have failed since <Time value={failingSince} />. {lastError}
        </p>
      )}
    </header>
  );
}
