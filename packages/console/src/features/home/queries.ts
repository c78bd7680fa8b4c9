import type { Kiln } from '@kiln/sdk';
import { queryOptions } from '@tanstack/react-query';
import { liveFileOf, type LiveFile } from './lib/live-files.js';
import { waitingJobs } from './lib/waiting-jobs.js';

/** Analytics lag behind by at most 5 seconds. */
const REFRESH_MS = 10_000;
const JOBS_READ_MAX = 200;
const DAYS = 14;

/** The days up to today, oldest first. */
export const volumeQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['home', 'volume'],
    queryFn: async ({ signal }) => (await kiln.analytics.getVolume({ days: DAYS }, { signal })).data,
    refetchInterval: REFRESH_MS,
  });

/** The processing times of the last day. */
export const timesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['home', 'times'],
    queryFn: ({ signal }) => kiln.analytics.getProcessing({ days: 1 }, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const queueQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['home', 'queue'],
    queryFn: async ({ signal }) =>
      waitingJobs(await kiln.jobs.list({ status: 'queued', limit: JOBS_READ_MAX }, { signal })),
    refetchInterval: REFRESH_MS,
  });

/** The files that have changed last. */
export const recentQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['home', 'recent'],
    queryFn: async ({ signal }): Promise<readonly LiveFile[]> => {
      const { files } = await kiln.files.list({ sort_by: 'updated_at', sort_order: 'desc', limit: 20 }, { signal });
      return files.map(liveFileOf);
    },
  });

export const capabilitiesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['home', 'capabilities'],
    queryFn: ({ signal }) => kiln.organization.getCapabilities({ signal }),
    staleTime: 60_000,
  });
