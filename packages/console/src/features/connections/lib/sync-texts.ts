// Formats the status, the progress and the result of a sync as text.
import type { Schemas } from '@kiln/sdk';
import { formatCount, formatDuration, parseTime, plural } from '../../../ui/formats.js';

type Sync = Schemas['Sync'];
type Progress = Schemas['GetSyncProgressResponse'];
type Preview = Schemas['PreviewSyncResponse'];

export const isUnderWay = ({ status }: Pick<Sync, 'status'>): boolean => status === 'pending' || status === 'syncing';

/** The sync stopped, because it would have removed most nodes. Only `force` lets it go on. */
export const isHeldBack = ({ status, error }: Pick<Sync, 'status' | 'error'>): boolean =>
  status === 'failed' && error?.code === 'too_many_deletions';

/** `1,200 of about 5,000 objects, about 40 s left`. */
export function progressText({ synced, total, eta_seconds: eta }: Progress): string {
  if (total === null) return `${plural(synced, 'object')} listed. How many there are is known after the first sync.`;
  const count = `${formatCount(synced)} of about ${plural(total, 'object')}`;
  return eta === null ? count : `${count}, about ${formatDuration(eta)} left`;
}

/** What the sync has changed. Null for one that has not ended. */
export function changesText(sync: Sync): string | null {
  if (isUnderWay(sync)) return null;
  const changes = [
    [sync.files_added, 'added'],
    [sync.files_updated, 'changed'],
    [sync.files_deleted, 'removed'],
    [sync.files_moved ?? 0, 'moved'],
    [sync.files_queued ?? 0, 'queued'],
    [sync.skipped, 'skipped'],
  ] as const;
  const parts = changes.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return parts.length > 0 ? parts.join(', ') : 'No changes';
}

export function durationText({ started_at: start, completed_at: end }: Sync): string | null {
  if (start === null || end === null) return null;
  return formatDuration(Math.max(0, (parseTime(end).getTime() - parseTime(start).getTime()) / 1_000));
}

/** `in 40 min`. */
export function untilText(time: string, now: Date): string {
  const seconds = Math.round((parseTime(time).getTime() - now.getTime()) / 1_000);
  return seconds <= 0 ? 'now' : `in ${formatDuration(seconds)}`;
}

/** The number of files that a sync would remove is known only if the whole bucket was listed. */
export function previewRows(preview: Preview): [name: string, value: string][] {
  return [
    ['New files', formatCount(preview.new_files)],
    ['Changed files', formatCount(preview.updated_files)],
    ['Files to remove', preview.complete ? formatCount(preview.deleted_files) : 'Not known'],
    ...(preview.queued_files ? [['Files to process', formatCount(preview.queued_files)] as [string, string]] : []),
    ...(preview.excluded_files ? [['Left out by rules', formatCount(preview.excluded_files)] as [string, string]] : []),
  ];
}

type Processed = Pick<Schemas['ProcessBatchResponse'], 'queued' | 'rest'>;

/** The outcome of processing the objects of a connection. */
export function processedText({ queued, rest }: Processed): string {
  if (rest === 'quota_exceeded') {
    return `${plural(queued, 'file')} queued. The plan has no pages left for the others.`;
  }
  if (rest === 'follows') return `${plural(queued, 'file')} queued. The others follow in the background.`;
  return queued === 0 ? 'All files are up to date.' : `${plural(queued, 'file')} queued.`;
}
