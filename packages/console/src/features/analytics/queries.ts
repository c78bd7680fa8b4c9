import type { Kiln } from '@kiln/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Range } from './lib/analytics-address.js';

/** Analytics lag behind by at most 5 seconds. */
const REFRESH_MS = 30_000;
const REASONS_READ = 20;

export const analyticsKeys = {
  volume: (days: Range) => ['analytics', 'volume', days],
  times: (days: Range) => ['analytics', 'times', days],
  storage: (days: Range) => ['analytics', 'storage', days],
  failures: ['analytics', 'failures'],
  spaces: ['analytics', 'spaces'],
  providers: (days: Range) => ['analytics', 'providers', days],
  usage: ['analytics', 'usage'],
} as const;

/** While another range is read, the last one stays. */
const kept = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData } as const;

export const volumeQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: analyticsKeys.volume(days),
    queryFn: async ({ signal }) => (await kiln.analytics.getVolume({ days }, { signal })).data,
    ...kept,
  });

export const timesQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: analyticsKeys.times(days),
    queryFn: async ({ signal }) => (await kiln.analytics.getDailyTimes({ days }, { signal })).data,
    ...kept,
  });

export const storageQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: analyticsKeys.storage(days),
    queryFn: async ({ signal }) => (await kiln.analytics.getStorageGrowth({ days }, { signal })).data,
    ...kept,
  });

export const providersQuery = (kiln: Kiln, days: Range) =>
  queryOptions({
    queryKey: analyticsKeys.providers(days),
    queryFn: async ({ signal }) => (await kiln.analytics.getProviders({ days }, { signal })).providers,
    ...kept,
  });

/** The API counts them since the beginning. */
export const failuresQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: analyticsKeys.failures,
    queryFn: async ({ signal }) => (await kiln.analytics.listTopFailures({ limit: REASONS_READ }, { signal })).failures,
    ...kept,
  });

export const spacesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: analyticsKeys.spaces,
    queryFn: async ({ signal }) => (await kiln.analytics.getSpaceHealth({ signal })).spaces,
    ...kept,
  });

export const usageQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: analyticsKeys.usage,
    queryFn: ({ signal }) => kiln.organization.getUsage({ signal }),
    ...kept,
  });
