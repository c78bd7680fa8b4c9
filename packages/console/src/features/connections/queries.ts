import type { Kiln, Schemas } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import type { Provider } from './lib/providers.js';
import { isUnderWay } from './lib/sync-texts.js';

export type Connection = Schemas['Connection'];
export type Sync = Schemas['Sync'];

const SYNCS_READ = 50;
const OBJECTS_READ = 200;
const POLL_MS = 1_000;
/** Events report the end of a sync; they may be missed, or refused to the key. */
const IDLE_POLL_MS = 15_000;

export const connectionKeys = {
  all: ['connections'],
  list: ['connections', 'list'],
  providers: ['connection-providers'],
  steps: (provider: Provider) => ['connection-providers', provider],
  summary: (id: string) => ['connections', id, 'summary'],
  syncs: (id: string) => ['connections', id, 'syncs'],
  progress: (id: string) => ['connections', id, 'progress'],
  objects: (id: string, prefix: string) => ['connections', id, 'objects', prefix],
} as const;

export const connectionsQuery = (kiln: Kiln) =>
  infiniteQueryOptions({
    queryKey: connectionKeys.list,
    ...cursorPages((cursor, options) => kiln.connections.list(cursor, options)),
    refetchInterval: IDLE_POLL_MS,
  });

/** They change with the version of the server only. */
export const providersQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: connectionKeys.providers,
    queryFn: async ({ signal }) => (await kiln.connections.listProviders({ signal })).providers,
    staleTime: Infinity,
  });

export const stepsQuery = (kiln: Kiln, provider: Provider) =>
  queryOptions({
    queryKey: connectionKeys.steps(provider),
    queryFn: async ({ signal }) => (await kiln.connections.start({ provider }, { signal })).instructions,
    staleTime: Infinity,
  });

export const connectionQuery = (kiln: Kiln, id: string) =>
  queryOptions({
    queryKey: connectionKeys.summary(id),
    queryFn: ({ signal }) => kiln.connections.get(id, { signal }),
    refetchInterval: IDLE_POLL_MS,
  });

/** Newest first. A list of one page is read again, more often while a sync is under way. Longer lists wait for the end of a sync. */
export const syncsQuery = (kiln: Kiln, id: string) =>
  infiniteQueryOptions({
    queryKey: connectionKeys.syncs(id),
    ...cursorPages((cursor, options) => kiln.connections.listSyncs(id, { limit: SYNCS_READ, ...cursor }, options)),
    refetchInterval: ({ state: { data } }) => {
      const [first, second] = data?.pages ?? [];
      const [newest] = first?.syncs ?? [];
      if (newest && isUnderWay(newest)) return POLL_MS;
      return second ? false : IDLE_POLL_MS;
    },
  });

export const progressQuery = (kiln: Kiln, id: string) =>
  queryOptions({
    queryKey: connectionKeys.progress(id),
    queryFn: ({ signal }) => kiln.connections.getSyncProgress(id, { signal }),
    refetchInterval: POLL_MS,
  });

/** It is not polled: each page is a request to the bucket. */
export const objectsQuery = (kiln: Kiln, id: string, prefix: string) =>
  infiniteQueryOptions({
    queryKey: connectionKeys.objects(id, prefix),
    ...cursorPages((cursor, options) =>
      kiln.connections.browse(id, { limit: OBJECTS_READ, ...(prefix !== '' && { prefix }), ...cursor }, options),
    ),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
