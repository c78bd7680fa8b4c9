import { describe, expect, it } from '@jest/globals';
import {
  changesText,
  durationText,
  isHeldBack,
  previewRows,
  processedText,
  progressText,
  untilText,
} from './sync-texts.js';

const sync = {
  id: 'sync_1',
  status: 'completed',
  synced_count: 3,
  files_added: 0,
  files_updated: 0,
  files_deleted: 0,
  skipped: 0,
  error: null,
  started_at: '2026-11-27 10:00:00',
  completed_at: '2026-11-27 10:02:05',
} as const;
const progress = {
  status: 'syncing',
  synced: 1_200,
  total: 5_000,
  percent: 24,
  eta_seconds: 40,
  started_at: null,
} as const;

describe('a sync', () => {
  it('tells how far it is, and how long it takes if an earlier one has counted the objects', () => {
    expect(progressText(progress)).toBe('1,200 of about 5,000 objects, about 40 s left');
    expect(progressText({ ...progress, eta_seconds: null })).toBe('1,200 of about 5,000 objects');
    expect(progressText({ ...progress, total: null })).toMatch(/^1,200 objects listed\./);
  });

  it('tells its changes and its duration at its end', () => {
    expect([changesText(sync), durationText(sync)]).toStrictEqual(['No changes', '2 min']);
    expect(changesText({ ...sync, files_added: 1_000, skipped: 2 })).toBe('1,000 added, 2 skipped');
    expect(changesText({ ...sync, files_moved: 1, files_queued: 3 })).toBe('1 moved, 3 queued');
    const running = { ...sync, status: 'syncing', completed_at: null } as const;
    expect([changesText(running), durationText(running)]).toStrictEqual([null, null]);
  });

  it('tells when the next one starts', () => {
    const now = new Date('2026-11-27T10:00:00Z');
    expect(untilText('2026-11-27 10:40:00', now)).toBe('in 40 min');
    expect(untilText('2026-11-27 09:59:00', now)).toBe('now');
  });

  it('is held back by the number of its removals only', () => {
    const failed = (code: string) => isHeldBack({ status: 'failed', error: { code, message: '' } });
    expect([failed('too_many_deletions'), failed('timeout'), isHeldBack(sync)]).toStrictEqual([true, false, false]);
  });

  it('promises no number of removals before the whole bucket was listed', () => {
    const preview = { new_files: 1, updated_files: 2, deleted_files: 0, total_size_bytes: 10, complete: false };
    expect(previewRows(preview)[2]).toStrictEqual(['Files to remove', 'Not known']);
    expect(previewRows({ ...preview, complete: true })[2]).toStrictEqual(['Files to remove', '0']);
  });
});

it('processing tells how many files are queued, and what happens to the others', () => {
  expect(processedText({ queued: 0, rest: 'none' })).toBe('All files are up to date.');
  expect(processedText({ queued: 3, rest: 'none' })).toBe('3 files queued.');
  expect(processedText({ queued: 1_000, rest: 'follows' })).toMatch(/^1,000 files queued\. The others follow/);
  expect(processedText({ queued: 1, rest: 'quota_exceeded' })).toMatch(/no pages left/);
});
