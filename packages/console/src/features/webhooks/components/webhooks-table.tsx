import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { lastDeliveryQuery, type Webhook } from '../queries.js';

export const stateOf = ({ active, disabled_reason: reason }: Webhook) =>
  active ? 'active' : reason === null ? 'paused' : 'disabled';

export const typesText = (events: readonly string[]) => (events.includes('*') ? 'All' : events.join(', '));

const columns: readonly Column<Webhook>[] = [
  {
    title: 'URL',
    className: 'webhooks-url',
    cell: ({ id, url }) => (
      <Link className="file-link" to="/webhooks/$webhookId" params={{ webhookId: id }}>
        {url}
      </Link>
    ),
  },
  { title: 'State', cell: (webhook) => <StatusBadge status={stateOf(webhook)} /> },
  { title: 'Event types', className: 'webhooks-names muted', cell: ({ events }) => typesText(events) },
  { title: 'Spaces', className: 'webhooks-names muted', cell: ({ spaces }) => spaces?.join(', ') ?? 'All' },
  { title: 'Last delivery', className: 'short', cell: ({ id }) => <LastDelivery webhookId={id} /> },
];

export function WebhooksTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <DataTable label="Webhooks" className="webhooks-table" columns={columns} rows={webhooks} keyOf={({ id }) => id} />
  );
}

function LastDelivery({ webhookId }: { webhookId: string }) {
  const { data, error } = useQuery(lastDeliveryQuery(useKiln(), webhookId));
  if (!data) return <span className="muted">{data === null ? 'None' : error ? 'Not known' : 'Loading'}</span>;
  return (
    <>
      <StatusBadge status={data.status} />{' '}
      <span className="muted">
        <Time value={data.created_at} />
      </span>
    </>
  );
}
