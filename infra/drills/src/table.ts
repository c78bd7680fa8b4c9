/** The table of docs/bad-nights.md. */
import type { ActReport, DrillReport } from './run-drill.js';

const FAULT = ['drill', 'fault', 'lasted', 'back after'];
const SEEN = ['failed requests', 'what they got', 'longest without an upload, a read, a search', 'slowest webhook'];
const HEAD = [...FAULT, ...SEEN, 'accepted files', 'lost', 'doubled'];

export const tableHead = (): string => [row(HEAD), row(HEAD.map(() => '---'))].join('\n');

export function rowsOf({ name, acts, books }: DrillReport): string {
  const counts = [books.accepted, books.lost.length, books.doubled.length].map(String);
  return acts
    .map((act, index) => {
      const isLast = index === acts.length - 1;
      return row([index === 0 ? `\`${name}\`` : '', ...cellsOf(act), ...(isLast ? counts : counts.map(() => ''))]);
    })
    .join('\n');
}

function cellsOf({ fault, lastedMs, backAfterMs, seen, slowestWebhookMs }: ActReport): string[] {
  const { upload, read, search } = seen.longestGapMs;
  return [
    fault,
    seconds(lastedMs),
    seconds(backAfterMs),
    `${seen.failed} of ${seen.requests} (${((seen.failed / seen.requests) * 100).toFixed(0)} %)`,
    seen.failures.map(([outcome, count]) => `${count} × ${outcome}`).join(', ') || 'none',
    [upload, read, search].map(seconds).join(', '),
    seconds(slowestWebhookMs),
  ];
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
