import { describe, expect, it } from '@jest/globals';
import { createTestKiln } from '@kiln/sdk/testing';
import { ACTION_MAX, applies, runBulk, summaryOf, type BulkProgress, type FileRow } from './bulk.js';

const rowsOf = (count: number, status: FileRow['status'] = 'completed') =>
  Array.from({ length: count }, (_, index) => ({ id: `file_${index}`, job_id: `job_${index}`, status }) as FileRow);

describe('an action for many files', () => {
  it('is sent in requests of 100, and reports how far it is', async () => {
    const { kiln, requests } = createTestKiln({ 'DELETE /v1/files': () => ({ deleted: 100, errors: [] }) });
    const seen: number[] = [];
    const onProgress = ({ done }: BulkProgress) => seen.push(done);
    const end = await runBulk(kiln, 'delete', rowsOf(250), { signal: new AbortController().signal, onProgress });
    expect(seen).toStrictEqual([0, 100, 200, 250]);
    expect([requests.length, end.total]).toStrictEqual([3, 250]);
  });

  it('lists the files that it could not change, but none that was already deleted', async () => {
    const errors = [
      { file_id: 'file_0', code: 'NOT_FOUND', message: 'gone' },
      { file_id: 'file_1', code: 'UNAVAILABLE', message: 'later' },
    ];
    const { kiln } = createTestKiln({ 'DELETE /v1/files': () => ({ deleted: 0, errors }) });
    const { failed } = await runBulk(kiln, 'delete', rowsOf(2), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(failed.map(({ id, message }) => [id, message])).toStrictEqual([['file_1', 'later']]);
  });

  it('ends when it is stopped', async () => {
    const controller = new AbortController();
    const { kiln, requests } = createTestKiln({ 'DELETE /v1/files': () => ({ deleted: 100, errors: [] }) });
    const onProgress = ({ done }: BulkProgress) => void (done === 100 && controller.abort());
    await expect(runBulk(kiln, 'delete', rowsOf(300), { signal: controller.signal, onProgress })).rejects.toThrow(
      /abort/i,
    );
    expect(requests).toHaveLength(1);
  });

  it('says at its end that it stopped at its limit', () => {
    expect(summaryOf('retry', 1, ACTION_MAX - 1)).toBe('1 file retried.');
    expect(summaryOf('delete', 99_990, ACTION_MAX)).toBe(
      '99,990 files deleted. One action changes at most 100,000 files.',
    );
  });

  it('retries failed files and cancels running ones only', () => {
    const states = ['uploading', 'uploaded', 'processing', 'completed', 'failed'] as const;
    const changed = (action: 'delete' | 'reprocess' | 'retry' | 'cancel') =>
      states.filter((status) => applies(action, { status, job_id: 'job_1' }));
    expect(changed('retry')).toStrictEqual(['failed']);
    expect(changed('cancel')).toStrictEqual(['uploading', 'processing']);
    expect(changed('reprocess')).toStrictEqual(['uploaded', 'processing', 'completed', 'failed']);
    expect(changed('delete')).toStrictEqual([...states]);
  });
});
