import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { Fact, Facts } from '../../../ui/facts.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { untilText } from '../lib/sync-texts.js';
import { providersQuery, type Connection } from '../queries.js';
import { ConnectionActions } from './connection-actions.js';

interface ConnectionHeadProps {
  connection: Connection;
  onDeleted: () => void;
}

export function ConnectionHead({ connection, onDeleted }: ConnectionHeadProps) {
  const { id, name, provider, bucket, prefix, region, status, error, notifications } = connection;
  const { data: providers } = useQuery(providersQuery(useKiln()));
  return (
    <header>
      <div className="page-head page-title">
        <h1>{name}</h1>
        <ConnectionActions connection={connection} onDeleted={onDeleted} />
      </div>
      <Facts id={id}>
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Provider">{providers?.find((one) => one.id === provider)?.name ?? provider}</Fact>
        <Fact name="Bucket">{bucket}</Fact>
        {prefix !== null && <Fact name="Prefix">{prefix}</Fact>}
        {region !== null && <Fact name="Region">{region}</Fact>}
        {connection.next_sync_at && <Fact name="Next sync">{untilText(connection.next_sync_at, new Date())}</Fact>}
        {notifications && (
          <Fact name="Notifications">
            <StatusBadge status={notifications.status} />
          </Fact>
        )}
        <Fact name="Created">
          <Time value={connection.created_at} />
        </Fact>
      </Facts>
      {error && error.code !== 'too_many_deletions' && (
        <p className="form-note head-note">The last test or sync failed: {error.message}</p>
      )}
      {notifications?.error && <p className="form-note head-note">Notifications: {notifications.error.message}</p>}
    </header>
  );
}
