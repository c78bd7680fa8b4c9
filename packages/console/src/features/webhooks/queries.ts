import type { Kiln, Schemas } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import type { DeliveryStatus } from './lib/deliveries-address.js';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['GetDeliveryResponse'];

/** Each row of the list also reads its last delivery. */
const WEBHOOKS_READ = 20;
const DELIVERIES_READ = 50;

/** An attempt ends within 15 s. */
const POLL_MS = 3_000;
/** The stream of events has no deliveries. */
const IDLE_POLL_MS = 10_000;

export const webhookKeys = {
  all: ['webhooks'],
  list: ['webhooks', 'list'],
  eventTypes: ['webhook-event-types'],
  one: (id: string) => ['webhooks', id],
  summary: (id: string) => ['webhooks', id, 'summary'],
  last: (id: string) => ['webhooks', id, 'last'],
  deliveries: (id: string, status: DeliveryStatus | undefined) => ['webhooks', id, 'deliveries', status ?? 'any'],
  delivery: (id: string, deliveryId: string) => ['webhooks', id, 'delivery', deliveryId],
} as const;

export const webhooksQuery = (kiln: Kiln) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.list,
    ...cursorPages((cursor, options) => kiln.webhooks.list({ limit: WEBHOOKS_READ, ...cursor }, options)),
  });

/** The catalogue changes with the version of the server only. */
export const eventTypesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: webhookKeys.eventTypes,
    queryFn: async ({ signal }) => (await kiln.webhooks.listEventTypes({ signal })).event_types,
    staleTime: Infinity,
  });

export const webhookQuery = (kiln: Kiln, id: string) =>
  queryOptions({
    queryKey: webhookKeys.summary(id),
    queryFn: ({ signal }) => kiln.webhooks.get(id, { signal }),
    refetchInterval: IDLE_POLL_MS,
  });

/** Null if there is none. */
export const lastDeliveryQuery = (kiln: Kiln, id: string) =>
  queryOptions({
    queryKey: webhookKeys.last(id),
    queryFn: async ({ signal }) =>
      (await kiln.webhooks.listDeliveries(id, { limit: 1 }, { signal })).deliveries[0] ?? null,
  });

/** A list of one page is read again, more often while a delivery is pending. Longer lists wait for the user. */
export const deliveriesQuery = (kiln: Kiln, id: string, status: DeliveryStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(id, status),
    ...cursorPages((cursor, options) =>
      kiln.webhooks.listDeliveries(id, { limit: DELIVERIES_READ, ...(status && { status }), ...cursor }, options),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const [first, second] = data?.pages ?? [];
      if (!first || second) return false;
      return first.deliveries.some(isPending) ? POLL_MS : IDLE_POLL_MS;
    },
  });

export const deliveryQuery = (kiln: Kiln, id: string, deliveryId: string) =>
  queryOptions({
    queryKey: webhookKeys.delivery(id, deliveryId),
    queryFn: ({ signal }) => kiln.webhooks.getDelivery(id, deliveryId, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isPending(data) ? POLL_MS : false),
  });

const isPending = ({ status }: Pick<Delivery, 'status'>) => status === 'pending';
