// One connection: what it is, its syncs, and the objects of its bucket.
import { NotFoundError } from '@kiln/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import '../../../ui/tabs.css';
import { Notice } from '../../../ui/view-states.js';
import '../connections.css';
import { addressOf, tabNames, tabs, type ConnectionAddress } from '../lib/connection-address.js';
import { connectionCalls } from '../lib/connection-calls.js';
import { connectionQuery } from '../queries.js';
import { ConnectionHead } from './connection-head.js';
import { ObjectsPanel } from './objects-panel.js';
import { SyncsPanel } from './syncs-panel.js';

interface ConnectionViewProps {
  connectionId: string;
  address: ConnectionAddress;
  onAddress: (address: ConnectionAddress) => void;
  onDeleted: () => void;
}

export function ConnectionView({ connectionId, address, onAddress, onDeleted }: ConnectionViewProps) {
  const { data: connection, error, refetch } = useQuery(connectionQuery(useKiln(), connectionId));
  if (error instanceof NotFoundError) return <NoSuchConnection />;
  if (!connection) return <NotLoaded error={error} refetch={refetch} rows={10} label="Loading the connection" />;
  return (
    <div className="connection" data-stale={error !== null}>
      <ConnectionHead connection={connection} onDeleted={onDeleted} />
      <nav className="tabs" aria-label="Parts of the connection">
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="/connections/$connectionId"
            params={{ connectionId }}
            search={addressOf(tab)}
            replace
            activeOptions={{ exact: true }}
            {...(tab === (address.tab ?? 'syncs') && { 'aria-current': 'page' as const })}
          >
            {tabNames[tab]}
          </Link>
        ))}
      </nav>
      {address.tab === 'objects' ? (
        <ObjectsPanel connection={connection} prefix={address.prefix ?? ''} onAddress={onAddress} />
      ) : (
        <SyncsPanel connectionId={connectionId} />
      )}
      <ActionCommands calls={connectionCalls(connectionId, connection.name)} />
    </div>
  );
}

function NoSuchConnection() {
  return (
    <Notice
      icon="bucket"
      title="There is no such connection"
      action={
        <Link className="button" to="/connections">
          Go to the connections
        </Link>
      }
    >
      It may be deleted, or belong to another organization.
    </Notice>
  );
}
