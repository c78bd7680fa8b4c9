import { describe, expect, it } from '@jest/globals';
import { REPEATED_FILES_MAX, runAndRepeatFailed, type FileResult } from './repeat-failed.js';

const result = (path: string, failed: number, output = ''): FileResult => ({
  path,
  source: `${path}.ts`,
  totals: { passed: 2 - failed, failed, skipped: 0 },
  output,
});

/** Runs that have the given results: first of all files, then of one file after the other. */
async function runsWith(all: readonly FileResult[], ...repeated: readonly FileResult[]) {
  const asked: (string | undefined)[] = [];
  const next = [...repeated];
  const run = async (path?: string) => {
    asked.push(path);
    return path === undefined ? all : next.splice(0, 1);
  };
  return { ...(await runAndRepeatFailed({ run, report: () => {} })), asked };
}

describe('a run of spec files', () => {
  it('repeats no file if none failed', async () => {
    const { asked, totals, flaky } = await runsWith([result('a', 0), result('b', 0)]);
    expect(asked).toStrictEqual([undefined]);
    expect(totals).toStrictEqual({ passed: 4, failed: 0, skipped: 0 });
    expect(flaky).toStrictEqual([]);
  });

  it('passes if a failed file passes alone, and names it as flaky with both outputs', async () => {
    const first = [result('a', 1, 'expected 1'), result('b', 0)];
    const { asked, totals, flaky } = await runsWith(first, result('a', 0, 'fine'));
    expect(asked).toStrictEqual([undefined, 'a']);
    expect(totals).toStrictEqual({ passed: 4, failed: 0, skipped: 0 });
    expect(flaky).toStrictEqual([{ source: 'a.ts', failedOutput: 'expected 1', passedOutput: 'fine' }]);
  });

  it('fails if a file fails twice', async () => {
    const { totals, flaky } = await runsWith([result('a', 1), result('b', 1)], result('a', 2), result('b', 0));
    expect(totals.failed).toBe(2);
    expect(flaky).toHaveLength(1);
  });

  it('keeps the first result of a file whose repetition ends the runner, and goes on', async () => {
    const lines: string[] = [];
    const run = async (path?: string) => {
      if (path === 'a') throw new Error('Jest was killed');
      return path === undefined ? [result('a', 1), result('b', 1)] : [result('b', 0)];
    };
    const { totals, flaky } = await runAndRepeatFailed({ run, report: (line) => void lines.push(line) });
    expect([totals.failed, flaky.map(({ source }) => source)]).toStrictEqual([1, ['b.ts']]);
    expect(lines).toContain('a.ts could not be repeated: Jest was killed');
  });

  it('repeats nothing if many files failed', async () => {
    const all = Array.from({ length: REPEATED_FILES_MAX + 1 }, (_, index) => result(String(index), 1));
    const { asked, totals } = await runsWith(all);
    expect(asked).toStrictEqual([undefined]);
    expect(totals.failed).toBe(all.length);
  });
});
