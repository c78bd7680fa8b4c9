import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import '../../../ui/data-table.css';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { providersQuery, type Connection } from '../queries.js';

export function ConnectionsTable({ connections }: { connections: readonly Connection[] }) {
  const { data: providers } = useQuery(providersQuery(useKiln()));
  const nameOf = (id: string) => providers?.find((provider) => provider.id === id)?.name ?? id;
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of connections">
      <table className="data-table connections-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Status</th>
            <th scope="col">Bucket</th>
            <th scope="col">Provider</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {connections.map(({ id, name, status, error, bucket, prefix, provider, created_at: createdAt }) => (
            <tr key={id}>
              <th scope="row">
                <Link className="file-link" to="/connections/$connectionId" params={{ connectionId: id }}>
                  {name}
                </Link>
              </th>
              <td title={error?.message}>
                <StatusBadge status={status} />
              </td>
              <td className="muted connections-bucket">
                {bucket}
                {prefix !== null && `/${prefix}`}
              </td>
              <td className="muted">{nameOf(provider)}</td>
              <td className="muted">
                <Time value={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
