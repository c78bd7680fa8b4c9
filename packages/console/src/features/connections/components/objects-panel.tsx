import { useInfiniteQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { Button } from '../../../ui/button.js';
import { FilterInput } from '../../../ui/filter-input.js';
import { formatBytes } from '../../../ui/formats.js';
import { LoadMore, moreOf } from '../../../ui/load-more.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Time } from '../../../ui/time.js';
import { Notice } from '../../../ui/view-states.js';
import { VirtualTable } from '../../../ui/virtual-table.js';
import { addressOf, type ConnectionAddress } from '../lib/connection-address.js';
import { objectsQuery, type Connection } from '../queries.js';

interface ObjectsPanelProps {
  connection: Connection;
  prefix: string;
  onAddress: (address: ConnectionAddress) => void;
}

/** The bucket as the provider lists it now. Objects may be there that no sync has found yet. */
export function ObjectsPanel({ connection, prefix, onAddress }: ObjectsPanelProps) {
  const list = useInfiniteQuery(objectsQuery(useKiln(), connection.id, prefix));
  const { data, error, isPlaceholderData, isRefetching, refetch, hasNextPage, isFetchingNextPage } = list;
  const objects = data?.pages.flatMap((page) => page.objects) ?? [];
  const isNotEnd = hasNextPage && !isPlaceholderData;
  return (
    <section
      className="card"
      aria-label="Objects"
      aria-busy={isRefetching || isFetchingNextPage}
      data-stale={isPlaceholderData || (error !== null && objects.length > 0)}
    >
      <header>
        <h2>Objects</h2>
        <FilterInput
          className="objects-prefix"
          data-page-search
          label="Beginning of the keys"
          placeholder={connection.prefix ?? 'contracts/2026/'}
          value={prefix}
          onChange={(next) => onAddress(addressOf('objects', next))}
        />
        <Button icon="refresh" disabled={isRefetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </header>
      {objects.length > 0 ? (
        <VirtualTable
          label="Objects"
          className="objects-table"
          columns={['Key', 'Size', 'Changed']}
          rows={objects}
          keyOf={({ key }) => key}
          cellsOf={({ key, size_bytes: size, last_modified: time }) => [
            <span title={key}>{key}</span>,
            <span className="muted">{formatBytes(size)}</span>,
            <span className="muted">
              <Time value={time} />
            </span>,
          ]}
          hasMore={isNotEnd}
          onMore={moreOf(list)}
        />
      ) : error || !data ? (
        <NotLoaded error={error} refetch={refetch} rows={10} label="Listing the bucket" />
      ) : isNotEnd ? (
        <Notice icon="search" title="No object so far">
          Load more continues the listing of the bucket.
        </Notice>
      ) : (
        <NoObjects prefix={prefix} onClear={() => onAddress(addressOf('objects'))} />
      )}
      <LoadMore list={list} />
    </section>
  );
}

function NoObjects({ prefix, onClear }: { prefix: string; onClear: () => void }) {
  if (prefix === '') {
    return (
      <Notice icon="bucket" title="The bucket is empty">
        Objects appear here as soon as the provider lists them.
      </Notice>
    );
  }
  return (
    <Notice icon="search" title="No key begins with this prefix" action={<Button onClick={onClear}>Show all</Button>}>
      A prefix is the beginning of the whole key, with upper and lower case.
    </Notice>
  );
}
