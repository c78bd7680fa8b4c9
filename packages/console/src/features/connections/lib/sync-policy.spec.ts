import { expect, it } from '@jest/globals';
import { intervalsOf, noSyncPolicy, syncPolicyChanges } from './sync-policy.js';

it('a request has the schedule and automatic processing only if they were changed', () => {
  expect(syncPolicyChanges(noSyncPolicy, noSyncPolicy)).toStrictEqual({});
  const hourly = { isAutomatic: true, minutes: 60 };
  expect(syncPolicyChanges(hourly, noSyncPolicy)).toStrictEqual({ auto_process: true, sync_interval_minutes: 60 });
  expect(syncPolicyChanges({ ...hourly, minutes: null }, hourly)).toStrictEqual({ sync_interval_minutes: null });
});

it('an interval that was set otherwise can be kept', () => {
  const titles = (minutes: number | null) => intervalsOf(minutes).map(([, title]) => title);
  expect(titles(60)).toStrictEqual(titles(null));
  expect(titles(90)).toStrictEqual([...titles(null), 'Every 90 minutes']);
});
