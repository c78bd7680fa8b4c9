// How many rows of a list are shown.
import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { Output } from '../terminal/output.js';
import type { Row } from '../terminal/table.js';
import { integer } from './options.js';

export interface LimitOptions {
  limit: number;
  all?: boolean;
}

const LIMIT_MAX = 100_000;
/** The longest page of the API. */
const PAGE_MAX = 100;

export const withLimit = (command: Command): Command =>
  command.option('--limit <count>', 'at most so many rows', integer(1, LIMIT_MAX), 50).option('--all', 'all rows');

/** Entries of a page, for the query. */
export const pageSize = ({ limit, all }: LimitOptions): number => (all === true ? PAGE_MAX : Math.min(limit, PAGE_MAX));

/** Writes the rows, and says on stderr whether there are more. */
export async function writeList(
  context: Context,
  output: Output,
  rows: AsyncIterable<Row>,
  { limit, all }: LimitOptions,
): Promise<void> {
  let hasMore = false;
  async function* limited() {
    let count = 0;
    for await (const row of rows) {
      if (all !== true && count === limit) {
        hasMore = true;
        return;
      }
      count += 1;
      yield row;
    }
  }
  const count = await output.rows(limited());
  if (count === 0 && context.terminal.err.isTerminal) context.talk('Nothing found.');
  if (hasMore) context.talk(`The first ${limit}. There are more: add --all or --limit.`);
}
