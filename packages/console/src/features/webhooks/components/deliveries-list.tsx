import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKiln } from '../../../api/kiln-context.js';
import { Button } from '../../../ui/button.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { LoadMore } from '../../../ui/load-more.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import { Notice } from '../../../ui/view-states.js';
import { addressOf, deliveryStatuses, type DeliveriesAddress, type DeliveryStatus } from '../lib/deliveries-address.js';
import { deliveriesQuery, type Delivery } from '../queries.js';

interface DeliveriesListProps {
  webhookId: string;
  address: DeliveriesAddress;
  onAddress: (address: DeliveriesAddress) => void;
}

export function DeliveriesList({ webhookId, address, onAddress }: DeliveriesListProps) {
  const { status, delivery: openId } = address;
  const list = useInfiniteQuery(deliveriesQuery(useKiln(), webhookId, status));
  const { data, error, isError, isPlaceholderData, refetch } = list;
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  const filterBy = (next: DeliveryStatus | undefined) => onAddress(addressOf({ status: next, delivery: openId }));
  return (
    <section
      className="deliveries card"
      aria-label="Deliveries"
      data-stale={isPlaceholderData || (isError && deliveries.length > 0)}
    >
      <header>
        <h2>Deliveries</h2>
        <FilterSelect label="Status" all="Any status" options={deliveryStatuses} value={status} onChange={filterBy} />
      </header>
      {deliveries.length > 0 ? (
        <ul>
          {deliveries.map((delivery) => (
            <li key={delivery.id} data-open={delivery.id === openId}>
              <DeliveryRow webhookId={webhookId} delivery={delivery} address={address} />
            </li>
          ))}
        </ul>
      ) : error || !data ? (
        <NotLoaded error={error} refetch={refetch} rows={8} label="Loading the deliveries" />
      ) : status ? (
        <Notice
          icon="search"
          title={`No ${status} deliveries`}
          action={<Button onClick={() => filterBy(undefined)}>Show all</Button>}
        />
      ) : (
        <Notice icon="send" title="No deliveries yet">
          They appear here when events happen.
        </Notice>
      )}
      <LoadMore list={list} />
    </section>
  );
}

interface DeliveryRowProps {
  webhookId: string;
  delivery: Delivery;
  address: DeliveriesAddress;
}

function DeliveryRow({ webhookId, delivery, address }: DeliveryRowProps) {
  const { id, event_type: type, status, status_code: code, created_at: createdAt } = delivery;
  return (
    <Link
      className="delivery-row"
      to="/webhooks/$webhookId"
      params={{ webhookId }}
      search={{ ...address, delivery: id }}
      {...(id === address.delivery && { 'aria-current': true })}
    >
      <strong>{type}</strong>
      <StatusBadge status={status} />
      <span className="muted">{code ?? ''}</span>
      <span className="delivery-time muted">
        <Time value={createdAt} />
      </span>
    </Link>
  );
}
