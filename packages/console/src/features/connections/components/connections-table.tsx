import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { providersQuery, type Connection } from '../queries.js';

export function ConnectionsTable({ connections }: { connections: readonly Connection[] }) {
  const { data: providers } = useQuery(providersQuery(useKiln()));
  const columns: readonly Column<Connection>[] = [
    {
      title: 'Name',
      className: 'connections-name',
      cell: ({ id, name }) => (
        <Link className="file-link" to="/connections/$connectionId" params={{ connectionId: id }}>
          {name}
        </Link>
      ),
    },
    {
      title: 'Status',
      cell: ({ status, error }) => (
        <span title={error?.message}>
          <StatusBadge status={status} />
        </span>
      ),
    },
    {
      title: 'Bucket',
      className: 'connections-bucket muted',
      cell: ({ bucket, prefix }) => (prefix === null ? bucket : `${bucket}/${prefix}`),
    },
    {
      title: 'Provider',
      className: 'short muted',
      cell: ({ provider }) => providers?.find(({ id }) => id === provider)?.name ?? provider,
    },
    { title: 'Created', className: 'short muted', cell: ({ created_at: time }) => <Time value={time} /> },
  ];
  return <DataTable label="Connections" columns={columns} rows={connections} keyOf={({ id }) => id} />;
}
