// The request log: recorded in batches, read in pages.
import { Database, statement, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { LoggedRequestEntity } from './logged-request.entity.js';

export type Entry = Omit<LoggedRequestEntity, 'tenant_id'>;
export type NewEntry = Omit<LoggedRequestEntity, 'created_at'> & { /** ISO 8601 */ created_at: string };

export interface Filters {
  method?: string | undefined;
  status?: number | undefined;
  auth_type?: string | undefined;
  key_name?: string | undefined;
  /** The beginning of the path. */
  path?: string | undefined;
}

export interface PageQuery {
  tenantId: string;
  filters: Filters;
  /** The range of ids: at least `from`, less than `to`. */
  range: { from: string; to: string };
  limit: number;
}

export interface Page {
  /** Newest first. */
  rows: Entry[];
  /** The id after which the search stopped although more entries follow. Null if it did not stop early. */
  stoppedAfter: string | null;
}

/** Entries that a page examines at most. Filters that rarely match together would otherwise read the whole log. */
export const EXAMINED_MAX = 20_000;
/** Up to this many entries with a path are found by the path. A more frequent path is found in the order of time. */
export const SAME_PATH_MAX = 2_000;

/** The columns that have an index. The first one usually selects the fewest entries. */
const EQUAL = ['status', 'key_name', 'method', 'auth_type'] as const;
/** No path has a greater character. */
const PATH_END = '\u{10ffff}';

const COLUMNS = 'id, request_id, method, path, status, auth_type, key_name, duration_ms, created_at';
const IN_RANGE = 'tenant_id = $1 and id >= $2 and id < $3';

/** Statuses, keys and paths differ greatly in how many entries have them. */
const READ = { plannedForValues: true };

/** Set-based and hot. */
const record = statement(
  'requests.record',
  `insert into logged_requests
     (tenant_id, id, request_id, method, path, status, auth_type, key_name, duration_ms, created_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::text[],
                        $9::real[], $10::timestamptz[])
   on conflict do nothing`,
);
/** Reads one more row than SAME_PATH_MAX, to detect a frequent path. */
const findByPath = statement(
  'requests.find_by_path',
  `select id from logged_requests where ${IN_RANGE} and path >= $4 and path < $5 limit ${SAME_PATH_MAX + 1}`,
  READ,
);

@Injectable()
export class RequestLogStore {
  constructor(private readonly database: Database) {}

  /** Entries that exist already stay as they are. */
  async record(entries: readonly NewEntry[]): Promise<void> {
    const of = <Key extends keyof NewEntry>(key: Key) => entries.map((entry) => entry[key]);
    await this.database.query(record, [
      of('tenant_id'),
      of('id'),
      of('request_id'),
      of('method'),
      of('path'),
      of('status'),
      of('auth_type'),
      of('key_name'),
      of('duration_ms'),
      of('created_at'),
    ]);
  }

  async page(query: PageQuery): Promise<Page> {
    const ids = await this.withRarePath(query);
    return ids === null ? this.examine(query) : { rows: await this.ofIds(query, ids), stoppedAfter: null };
  }

  /** All entries in the range whose path matches. Null without a path, or if there are many. */
  private async withRarePath({ tenantId, filters: { path }, range }: PageQuery): Promise<string[] | null> {
    if (path === undefined) return null;
    const found = await this.database.query<{ id: string }>(findByPath, [
      tenantId,
      range.from,
      range.to,
      path,
      path + PATH_END,
    ]);
    return found.length > SAME_PATH_MAX ? null : found.map(({ id }) => id);
  }

  private async ofIds({ tenantId, filters, limit }: PageQuery, ids: readonly string[]): Promise<Entry[]> {
    const names = EQUAL.filter((name) => filters[name] !== undefined);
    const conditions = names.map((name, index) => ` and ${name} = $${index + 4}`).join('');
    const byIds = statement(
      ['requests.of_ids', ...names].join('.'),
      `select ${COLUMNS} from logged_requests where tenant_id = $1 and id = any($2::uuid[])${conditions}
       order by id desc limit $3`,
      READ,
    );
    return this.database.query<Entry>(byIds, [tenantId, ids, limit, ...names.map((name) => filters[name])]);
  }

  /** Reads in the order of time, by the index of one filter. */
  private async examine(query: PageQuery): Promise<Page> {
    const { tenantId, filters, range, limit } = query;
    const [leading, ...others] = EQUAL.filter((name) => filters[name] !== undefined);
    const from = [tenantId, range.from, range.to, ...(leading === undefined ? [] : [filters[leading]])];
    const values = [...others.map((name) => filters[name]), ...(filters.path === undefined ? [] : [filters.path])];
    const statements = examining(leading, others, filters.path !== undefined);
    const rows = await this.database.query<Entry>(statements.page, [...from, limit, ...values]);
    if (values.length === 0 || rows.length === limit) return { rows, stoppedAfter: null };
    const [last] = await this.database.query<{ id: string }>(statements.lastExamined, from);
    if (!last) return { rows, stoppedAfter: null };
    // An entry that is recorded between the two statements moves the end of the second one. The next page must begin behind the last match.
    const found = rows.at(-1)?.id ?? last.id;
    return { rows, stoppedAfter: found < last.id ? found : last.id };
  }
}

type Equal = (typeof EQUAL)[number];

/** `page` has the matches among the examined entries. `lastExamined` is where the examination stopped, if more entries follow. */
function examining(
  leading: Equal | undefined,
  others: readonly Equal[],
  byPath: boolean,
): { page: Statement; lastExamined: Statement } {
  const first = leading === undefined ? 4 : 5;
  const examined = `logged_requests where ${IN_RANGE}${leading === undefined ? '' : ` and ${leading} = $4`} order by id desc`;
  const conditions = [
    ...others.map((name, index) => `${name} = $${first + 1 + index}`),
    ...(byPath ? [`starts_with(path, $${first + 1 + others.length})`] : []),
  ];
  const name = ['requests.page', leading ?? 'all', ...others, ...(byPath ? ['path'] : [])].join('.');
  const all = `select ${COLUMNS} from ${examined}`;
  const text =
    conditions.length === 0
      ? `${all} limit $${first}`
      : `select ${COLUMNS} from (${all} limit ${EXAMINED_MAX}) examined where ${conditions.join(' and ')}
         order by id desc limit $${first}`;
  return {
    page: statement(name, text, READ),
    lastExamined: statement(
      `requests.last_examined.${leading ?? 'all'}`,
      `select id from ${examined} offset ${EXAMINED_MAX - 1} limit 1`,
      READ,
    ),
  };
}
