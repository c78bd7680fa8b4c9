// The rollups of this service. Each answers an endpoint from few rows, however long the history is.
import type { Grain } from './domain/grain.js';
import { applyChanges, type Rollup, type Source } from './rollup.js';

const periods = (...grains: Grain[]) =>
  `cross join (values ${grains.map((grain) => `('${grain}')`).join(', ')}) as g (grain)`;
const periodOf = (time: string) => ({ grain: 'grain collate "C"', starts_at: `date_trunc(grain, ${time}, 'UTC')` });

const EXISTING = 'changes where deleted_at is null';
/** An outcome that counts in history. A retry is none. */
const COUNTED = `counted <> 0 and status <> 'retried'`;
const when = (sign: string, condition: string) => `${sign} * (${condition})::int`;

const tenantTotals: Rollup = {
  table: 'tenant_totals',
  keys: ['tenant_id'],
  contributions: {
    files: {
      from: EXISTING,
      keys: {},
      sums: {
        uploading: when('files', `status = 'uploading'`),
        uploaded: when('files', `status = 'uploaded'`),
        processing: when('files', `status = 'processing'`),
        completed: when('files', `status = 'completed'`),
        failed: when('files', `status = 'failed'`),
        size_bytes: 'size_bytes',
        jobs: 'jobs',
        variants: 'variants',
      },
    },
    outcomes: {
      from: 'changes where present <> 0',
      keys: {},
      sums: {
        jobs_completed: when('present', `status = 'completed'`),
        jobs_failed: when('present', `status = 'failed'`),
      },
    },
    connections: { from: 'changes where not deleted', keys: {}, sums: { connections: 'sign' } },
  },
};

const spaceTotals: Rollup = {
  table: 'space_totals',
  keys: ['tenant_id', 'space'],
  contributions: {
    files: {
      from: EXISTING,
      keys: {},
      sums: {
        files: 'files',
        completed: when('files', `status = 'completed'`),
        failed: when('files', `status = 'failed'`),
      },
    },
  },
};

const typeTotals: Rollup = {
  table: 'type_totals',
  keys: ['tenant_id', 'content_type'],
  contributions: {
    files: { from: EXISTING, keys: {}, sums: { files: 'files', size_bytes: 'size_bytes' } },
  },
};

const activity: Rollup = {
  table: 'activity',
  keys: ['tenant_id', 'grain', 'starts_at'],
  contributions: {
    files: {
      // A file is added once, and perhaps deleted later.
      from: `changes cross join lateral (values (added_at, 1, 1), (deleted_at, 0, -1)) as t (at, added, stored)
        ${periods('hour', 'day')} where t.at is not null`,
      keys: periodOf('t.at'),
      sums: {
        uploads: 'files * added',
        uploaded_bytes: 'added * size_bytes',
        stored_bytes: 'stored * size_bytes',
      },
    },
    outcomes: {
      from: `changes ${periods('hour', 'day')} where ${COUNTED}`,
      keys: periodOf('ended_at'),
      sums: { completed: when('counted', `status = 'completed'`), failed: when('counted', `status = 'failed'`) },
    },
  },
};

const providerActivity: Rollup = {
  table: 'provider_activity',
  keys: ['tenant_id', 'grain', 'starts_at', 'provider'],
  contributions: {
    outcomes: {
      from: `changes ${periods('hour', 'day')} where ${COUNTED} and provider is not null`,
      keys: periodOf('ended_at'),
      sums: {
        completed: when('counted', `status = 'completed'`),
        failed: when('counted', `status = 'failed'`),
        duration_ms: 'duration_ms',
      },
    },
  },
};

/** Months keep the number of rows low that a long window adds up. */
const durationCounts: Rollup = {
  table: 'duration_counts',
  keys: ['tenant_id', 'grain', 'starts_at', 'bucket'],
  contributions: {
    outcomes: {
      from: `changes ${periods('hour', 'day', 'month')} where ${COUNTED} and bucket is not null`,
      keys: periodOf('ended_at'),
      sums: { runs: 'counted' },
    },
  },
};

const failureReasons: Rollup = {
  table: 'failure_reasons',
  keys: ['tenant_id', 'reason'],
  contributions: {
    outcomes: {
      from: `changes where ${COUNTED} and reason is not null`,
      keys: {},
      sums: { failures: 'counted' },
      greatest: { last_seen: 'last_ended_at' },
    },
  },
};

export const rollups: readonly Rollup[] = [
  tenantTotals,
  spaceTotals,
  typeTotals,
  activity,
  providerActivity,
  durationCounts,
  failureReasons,
];

/** SQL: common table expressions that add what the rows of `changes` contribute to all rollups. */
export const applyRollups = (source: Source) =>
  rollups
    .filter(({ contributions }) => contributions[source])
    .map((rollup) => `to_${rollup.table} as (${applyChanges(rollup, source)})`)
    .join(', ');
