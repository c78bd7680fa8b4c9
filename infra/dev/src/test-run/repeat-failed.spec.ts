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

  it('keeps all first results if a repeat ends the runner, and repeats the other files', async () => {
    const reported: string[] = [];
    const { totals, flaky } = await runAndRepeatFailed({
      run: async (path) => {
        if (path === 'a') throw new Error('Jest ended');
        return path === undefined ? [result('a', 1), result('b', 1), result('c', 0)] : [result('b', 0)];
      },
      report: (line) => reported.push(line),
    });
    expect(totals).toStrictEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(flaky.map(({ source }) => source)).toStrictEqual(['b.ts']);
    expect(reported).toContain('a.ts could not be repeated: Jest ended');
  });

  it('repeats nothing if many files failed', async () => {
    const all = Array.from({ length: REPEATED_FILES_MAX + 1 }, (_, index) => result(String(index), 1));
    const { asked, totals } = await runsWith(all);
    expect(asked).toStrictEqual([undefined]);
    expect(totals.failed).toBe(all.length);
  });
});
