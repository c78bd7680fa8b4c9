// When syncs of a connection start, and whether they process objects.
import type { Schemas } from '@kiln/sdk';

export interface SyncPolicy {
  isAutomatic: boolean;
  /** Minutes between scheduled syncs. Null: on request only. */
  minutes: number | null;
}

export const noSyncPolicy: SyncPolicy = { isAutomatic: false, minutes: null };

export const syncPolicyOf = ({
  auto_process: isAutomatic = false,
  sync_interval_minutes: minutes = null,
}: Schemas['Connection']): SyncPolicy => ({ isAutomatic, minutes });

type Interval = readonly [minutes: number | null, title: string];

const intervals: readonly Interval[] = [
  [null, 'On request only'],
  [5, 'Every 5 minutes'],
  [60, 'Every hour'],
  [1_440, 'Every day'],
];

/** The intervals to choose from, with the one that is set. */
export const intervalsOf = (minutes: number | null): readonly Interval[] =>
  intervals.some(([given]) => given === minutes) ? intervals : [...intervals, [minutes, `Every ${minutes} minutes`]];

/** The fields that differ from `before`. */
export const syncPolicyChanges = (
  { isAutomatic, minutes }: SyncPolicy,
  before: SyncPolicy,
): Pick<Schemas['UpdateConnectionRequest'], 'auto_process' | 'sync_interval_minutes'> => ({
  ...(isAutomatic !== before.isAutomatic && { auto_process: isAutomatic }),
  ...(minutes !== before.minutes && { sync_interval_minutes: minutes }),
});
