// The rollups of this service. Each answers an endpoint from few rows, however long the history is.
import type { Grain } from './grain.domain.js';
import type { Rollup, Source } from './rollup.statement.js';
import { runDurations } from './run-durations.statement.js';
import { sums } from './sums.statements.js';

const periods = (...grains: Grain[]) =>
  `cross join (values ${grains.map((grain) => `('${grain}')`).join(', ')}) as g (grain)`;
const periodOf = (time: string) => ({ grain: 'grain collate "C"', starts_at: `date_trunc(grain, ${time}, 'UTC')` });

const EXISTING = 'file_changes where deleted_at is null';
/** An outcome that counts in history. A retry does not. */
const COUNTED = `counted <> 0 and status <> 'retried'`;
const when = (sign: string, condition: string) => `${sign} * (${condition})::int`;

const tenantTotals = sums({
  table: 'tenant_totals',
  keys: ['tenant_id'],
  contributions: {
    file_changes: {
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
    outcome_changes: {
      from: 'outcome_changes where present <> 0',
      keys: {},
      sums: {
        jobs_completed: when('present', `status = 'completed'`),
        jobs_failed: when('present', `status = 'failed'`),
      },
    },
    connection_changes: { from: 'connection_changes where not deleted', keys: {}, sums: { connections: 'sign' } },
  },
});

const spaceTotals = sums({
  table: 'space_totals',
  keys: ['tenant_id', 'space'],
  contributions: {
    file_changes: {
      from: EXISTING,
      keys: {},
      sums: {
        files: 'files',
        completed: when('files', `status = 'completed'`),
        failed: when('files', `status = 'failed'`),
      },
    },
  },
});

const typeTotals = sums({
  table: 'type_totals',
  keys: ['tenant_id', 'content_type'],
  contributions: {
    file_changes: { from: EXISTING, keys: {}, sums: { files: 'files', size_bytes: 'size_bytes' } },
  },
});

const activity = sums({
  table: 'activity',
  keys: ['tenant_id', 'grain', 'starts_at'],
  contributions: {
    file_changes: {
      // A file is added once, and perhaps deleted later.
      from: `file_changes cross join lateral (values (added_at, 1, 1), (deleted_at, 0, -1)) as t (at, added, stored)
        ${periods('hour', 'day')} where t.at is not null`,
      keys: periodOf('t.at'),
      sums: {
        uploads: 'files * added',
        uploaded_bytes: 'added * size_bytes',
        stored_bytes: 'stored * size_bytes',
      },
    },
    outcome_changes: {
      from: `outcome_changes ${periods('hour', 'day')} where ${COUNTED}`,
      keys: periodOf('ended_at'),
      sums: { completed: when('counted', `status = 'completed'`), failed: when('counted', `status = 'failed'`) },
    },
  },
});

const providerActivity = sums({
  table: 'provider_activity',
  keys: ['tenant_id', 'grain', 'starts_at', 'provider'],
  contributions: {
    outcome_changes: {
      from: `outcome_changes ${periods('hour', 'day')} where ${COUNTED} and provider is not null`,
      keys: periodOf('ended_at'),
      sums: {
        completed: when('counted', `status = 'completed'`),
        failed: when('counted', `status = 'failed'`),
        duration_ms: 'duration_ms',
      },
    },
  },
});

const failureReasons = sums({
  table: 'failure_reasons',
  keys: ['tenant_id', 'reason'],
  contributions: {
    outcome_changes: {
      from: `outcome_changes where ${COUNTED} and reason is not null`,
      keys: {},
      sums: { failures: 'counted' },
      greatest: { last_seen: 'last_ended_at' },
    },
  },
});

export const rollups: readonly Rollup[] = [
  tenantTotals,
  spaceTotals,
  typeTotals,
  activity,
  providerActivity,
  runDurations,
  failureReasons,
];

/** SQL: common table expressions that add what the rows of the sources contribute to all rollups. */
export const applyRollups = (...sources: Source[]) =>
  sources
    .flatMap((source) =>
      rollups
        .filter((rollup) => rollup.sources.includes(source))
        .map((rollup) => `to_${rollup.table} as (${rollup.apply(source)})`),
    )
    .join(', ');
