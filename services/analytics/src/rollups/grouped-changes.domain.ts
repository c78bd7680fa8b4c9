// Changes of facts that contribute to the same rows of rollups, added up before the rollups read them: a batch of thousands has few such
// groups. Times become their hour.
import { bucketOf } from './duration-buckets.domain.js';

const hourOf = (time: string) => `date_trunc('hour', ${time}, 'UTC')`;

/** SQL: groups of the rows of `changed`, file facts with a `sign` of 1 or -1. The sums have the sign. */
export const groupFiles = (changed: string) => `
  select tenant_id, space, content_type, status, ${hourOf('created_at')} as added_at, ${hourOf('deleted_at')} as deleted_at,
    sum(sign)::bigint as files, sum(sign * size_bytes)::bigint as size_bytes, sum(sign * jobs)::bigint as jobs,
    sum(sign * variants)::bigint as variants
  from ${changed} group by 1, 2, 3, 4, 5, 6`;

/** SQL: groups of the rows of `changed`, outcomes that count `counted` times in history and `present` times as the state of their job. */
export const groupOutcomes = (changed: string) => `
  select tenant_id, status, provider, reason, ${hourOf('ended_at')} as ended_at, sum(counted)::bigint as counted,
    sum(present)::bigint as present, coalesce(sum(counted * duration_ms), 0)::bigint as duration_ms,
    max(ended_at) filter (where counted <> 0) as last_ended_at
  from ${changed} group by 1, 2, 3, 4, 5`;

/** SQL: groups of the same rows by the bucket of their duration, which few of them share. */
export const groupRuns = (changed: string) => `
  select tenant_id, ${hourOf('ended_at')} as ended_at, ${bucketOf('duration_ms')} as bucket, sum(counted)::int as runs
  from ${changed} where counted <> 0 and duration_ms is not null group by 1, 2, 3`;
