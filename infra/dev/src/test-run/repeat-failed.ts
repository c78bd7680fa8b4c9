/**
 * Runs spec files, and repeats each failed one alone after the others. A file that then passes is flaky: the run passes, and its
 * two outputs are kept, so that the cause can be found.
 */
import { messageOf } from '../errors.js';
import { sumOf, type Totals } from './totals.js';

export interface FileResult {
  /** The compiled file. */
  readonly path: string;
  /** The source, relative to the repository. */
  readonly source: string;
  readonly totals: Totals;
  /** The output of the file, with its failures. */
  readonly output: string;
}

export interface FlakyFile {
  readonly source: string;
  readonly failedOutput: string;
  readonly passedOutput: string;
}

export interface RunResult {
  readonly totals: Totals;
  readonly flaky: readonly FlakyFile[];
}

/** More failed files have one cause, such as a broken change or a lost server. Repeating them would only delay the news. */
export const REPEATED_FILES_MAX = 20;

export interface SpecRunner {
  /** Runs the given files, or all. Rejects if the runner itself fails, for example if a signal ends it. */
  readonly run: (path?: string) => Promise<readonly FileResult[]>;
  readonly report: (line: string) => void;
}

export async function runAndRepeatFailed({ run, report }: SpecRunner): Promise<RunResult> {
  const results = [...(await run())];
  const failed = results.filter(({ totals }) => totals.failed > 0);
  const flaky: FlakyFile[] = [];
  if (failed.length > REPEATED_FILES_MAX) report(`${failed.length} files failed, too many to repeat.`);
  else
    for (const first of failed) {
      report(`repeating ${first.source}, alone`);
      const [second] = await run(first.path).catch((thrown: unknown) => {
        report(`${first.source} could not be repeated: ${messageOf(thrown)}`);
        return [];
      });
      if (second === undefined) continue;
      results[results.indexOf(first)] = second;
      if (second.totals.failed === 0) {
        flaky.push({ source: first.source, failedOutput: first.output, passedOutput: second.output });
      }
    }
  return { totals: sumOf(results.map(({ totals }) => totals)), flaky };
}
