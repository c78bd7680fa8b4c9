import { describe, expect, it } from '@jest/globals';
import type { StreamedEvent } from '@kiln/sdk';
import { applyEvent, type LiveFile } from './live-files.js';
import { waitingJobs } from './waiting-jobs.js';

const at = (second: number) => `2026-11-21T09:30:${String(second).padStart(2, '0')}.000Z`;
const event = (type: string, file: string, second: number, more: object = {}) =>
  ({
    type,
    created_at: at(second),
    data: { file_id: file, filename: `${file}.pdf`, space: 'default', job_id: 'job_1', ...more },
  }) as unknown as StreamedEvent;

const after = (...events: StreamedEvent[]) => events.reduce<readonly LiveFile[]>(applyEvent, []);
const shown = (rows: readonly LiveFile[]) => rows.map(({ id, status, progress }) => [id, status, progress]);

describe('the live list', () => {
  it('has a row for each file, the latest change first', () => {
    const rows = after(
      event('file.created', 'a', 1),
      event('file.created', 'b', 2),
      event('file.processing.completed', 'a', 3),
    );
    expect(shown(rows)).toStrictEqual([
      ['a', 'completed', null],
      ['b', 'processing', null],
    ]);
  });

  it('shows progress of files that are processed, and nothing after their end', () => {
    const progress = event('job.progress', 'a', 2, { progress: 0.4, step: 'extract' });
    expect(shown(after(event('file.created', 'a', 1), progress))).toStrictEqual([['a', 'processing', 0.4]]);
    const ended = after(event('file.created', 'a', 1), event('file.processing.completed', 'a', 3), progress);
    expect(shown(ended)).toStrictEqual([['a', 'completed', null]]);
  });

  it('keeps the later state when an event arrives twice', () => {
    const created = event('file.created', 'a', 1);
    expect(shown(after(created, event('file.processing.completed', 'a', 3), created))).toStrictEqual([
      ['a', 'completed', null],
    ]);
  });

  it('shows why a file has failed, and no deleted file', () => {
    const failed = event('file.processing.failed', 'a', 2, { error: { message: 'The file is encrypted.' } });
    expect(after(failed)[0]?.error).toBe('The file is encrypted.');
    expect(after(failed, event('file.deleted', 'a', 3))).toStrictEqual([]);
  });

  it('stays short, whatever happens', () => {
    const many = Array.from({ length: 400 }, (_, index) => event('file.created', `f${index}`, 1));
    expect(after(...many)).toHaveLength(50);
  });

  it('is unchanged by events of other things', () => {
    const rows = after(event('file.created', 'a', 1));
    expect(applyEvent(rows, event('connection.synced', 'a', 2))).toBe(rows);
    expect(applyEvent(rows, event('job.progress', 'unknown', 2, { progress: 1 }))).toBe(rows);
  });
});

describe('waiting jobs', () => {
  it('are counted, with the age of the oldest one, and the count says if it is a part', () => {
    const jobs = [{ created_at: '2026-11-21 10:00:00' }, { created_at: '2026-11-21 09:00:00' }];
    expect(waitingJobs({ jobs, next_cursor: 'x' })).toStrictEqual({
      count: 2,
      isPart: true,
      oldestAt: '2026-11-21 09:00:00',
    });
    expect(waitingJobs({ jobs: [], next_cursor: null })).toStrictEqual({ count: 0, isPart: false, oldestAt: null });
  });
});
