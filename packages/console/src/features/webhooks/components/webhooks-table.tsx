import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import '../../../ui/data-table.css';
import { Time } from '../../../ui/time.js';
import { lastDeliveryQuery, type Webhook } from '../queries.js';

export const stateOf = ({ active, disabled_reason: reason }: Webhook) =>
  active ? 'active' : reason === null ? 'paused' : 'disabled';

export const typesText = (events: readonly string[]) => (events.includes('*') ? 'All' : events.join(', '));

export function WebhooksTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of webhooks">
      <table className="data-table webhooks-table">
        <thead>
          <tr>
            <th scope="col">URL</th>
            <th scope="col">State</th>
            <th scope="col">Event types</th>
            <th scope="col">Spaces</th>
            <th scope="col">Last delivery</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row">
                <Link className="file-link" to="/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                  {webhook.url}
                </Link>
              </th>
              <td>
                <StatusBadge status={stateOf(webhook)} />
              </td>
              <td className="muted">{typesText(webhook.events)}</td>
              <td className="muted">{webhook.spaces?.join(', ') ?? 'All'}</td>
              <td>
                <LastDelivery webhookId={webhook.id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LastDelivery({ webhookId }: { webhookId: string }) {
  const { data, error } = useQuery(lastDeliveryQuery(useKiln(), webhookId));
  if (data) {
    return (
      <>
        <StatusBadge status={data.status} />{' '}
        <span className="muted">
          <Time value={data.created_at} />
        </span>
      </>
    );
  }
  return <span className="muted">{data === null ? 'None' : error ? 'Not known' : 'Loading'}</span>;
}
