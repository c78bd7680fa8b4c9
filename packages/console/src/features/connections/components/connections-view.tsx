// The list of connections. The actions on a connection are on its page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { ListCard } from '../../../ui/list-card.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import '../connections.css';
import { listCalls } from '../lib/connection-calls.js';
import { connectionsQuery } from '../queries.js';
import { ConnectionsTable } from './connections-table.js';

export function ConnectionsView() {
  const list = useInfiniteQuery(connectionsQuery(useKiln()));
  const mayWrite = useMay('connections:write');
  const connections = list.data?.pages.flatMap((page) => page.connections) ?? [];
  const connect = (
    <Link className="button button-primary" to="/connections/new">
      Connect a bucket
    </Link>
  );
  return (
    <>
      <PageHead title="Connections">{mayWrite && connections.length > 0 && connect}</PageHead>
      <ListCard
        label="Connections"
        list={list}
        table={connections.length > 0 ? <ConnectionsTable connections={connections} /> : null}
        empty={
          <Notice icon="bucket" title="No connections yet" action={mayWrite && connect}>
            {mayWrite
              ? 'Kiln lists a bucket of yours and reads from it. It changes nothing in it.'
              : 'This key may not connect a bucket: it lacks the scope connections:write.'}
          </Notice>
        }
      />
      <div className="page-commands">
        <ActionCommands calls={listCalls} />
      </div>
    </>
  );
}
