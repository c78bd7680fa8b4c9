import type { Kiln } from '@kiln/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Range } from './lib/analytics-address.js';

/** Analytics lag behind by at most 5 seconds. While another range is read, the last one stays. */
const kept = { refetchInterval: 30_000, placeholderData: keepPreviousData } as const;

export const volumeQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: ['analytics', 'volume', days],
    queryFn: async ({ signal }) => (await kiln.analytics.getVolume({ days }, { signal })).data,
    ...kept,
  });

export const timesQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: ['analytics', 'times', days],
    queryFn: async ({ signal }) => (await kiln.analytics.getDailyTimes({ days }, { signal })).data,
    ...kept,
  });

export const storageQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: ['analytics', 'storage', days],
    queryFn: async ({ signal }) => (await kiln.analytics.getStorageGrowth({ days }, { signal })).data,
    ...kept,
  });

export const providersQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: ['analytics', 'providers', days],
    queryFn: async ({ signal }) => (await kiln.analytics.getProviders({ days }, { signal })).providers,
    ...kept,
  });

/** The API counts them since the beginning. */
export const failuresQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['analytics', 'failures'],
    queryFn: async ({ signal }) => (await kiln.analytics.listTopFailures({ limit: 20 }, { signal })).failures,
    ...kept,
  });

export const spacesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['analytics', 'spaces'],
    queryFn: async ({ signal }) => (await kiln.analytics.getSpaceHealth({ signal })).spaces,
    ...kept,
  });

export const usageQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['analytics', 'usage'],
    queryFn: ({ signal }) => kiln.organization.getUsage({ signal }),
    ...kept,
  });
