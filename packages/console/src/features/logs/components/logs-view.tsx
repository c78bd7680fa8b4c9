// The requests of the organization's keys, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { ListCard } from '../../../ui/list-card.js';
import { moreOf } from '../../../ui/load-more.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import { isFiltered, type LogsAddress } from '../lib/logs-address.js';
import { logsCalls } from '../lib/logs-calls.js';
import '../logs.css';
import { logsQuery } from '../queries.js';
import { LogsFilters } from './logs-filters.js';
import { LogsTable } from './logs-table.js';

interface LogsViewProps {
  address: LogsAddress;
  onAddress: (address: LogsAddress) => void;
}

export function LogsView({ address, onAddress }: LogsViewProps) {
  const list = useInfiniteQuery(logsQuery(useKiln(), address));
  const { data, isPlaceholderData, isRefetching, refetch, hasNextPage } = list;
  const logs = data?.pages.flatMap((page) => page.logs) ?? [];
  const isNotEnd = hasNextPage && !isPlaceholderData;
  return (
    <>
      <PageHead title="Request log">
        <Button icon="refresh" disabled={isRefetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </PageHead>
      <LogsFilters address={address} onAddress={onAddress} />
      <ListCard
        label="Requests"
        list={list}
        table={logs.length > 0 ? <LogsTable logs={logs} hasMore={isNotEnd} onMore={moreOf(list)} /> : null}
        empty={
          isNotEnd ? (
            <Notice icon="search" title="No request matches so far">
              Load more continues with older requests.
            </Notice>
          ) : (
            <NoRequests isFiltered={isFiltered(address)} onClear={() => onAddress({})} />
          )
        }
      />
      <div className="page-commands">
        <ActionCommands calls={logsCalls(address)} />
      </div>
      <p className="logs-note muted">
        Requests are kept for 7 days and appear within 5 seconds. Copied commands have neither the query nor the body:
        the log does not store them.
      </p>
    </>
  );
}

function NoRequests({ isFiltered: hasFilters, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!hasFilters) {
    return (
      <Notice icon="list" title="No requests yet">
        Requests with an API key or a token appear here.
      </Notice>
    );
  }
  return (
    <Notice icon="search" title="No request matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
      The path matches from its beginning, the status and the name of the key exactly.
    </Notice>
  );
}
