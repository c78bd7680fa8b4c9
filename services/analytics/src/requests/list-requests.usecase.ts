// Lists the request log of a tenant, newest first.
import {
  decodeCursor,
  encodeId,
  formatTimestamp,
  pageOf,
  type CallContext,
  type AnalyticsInput,
  type AnalyticsOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { firstIdOf, keptSince, LAST_ID } from './log-days.domain.js';
import { RequestLogStore, type Entry } from './request-log.store.js';

type Output = AnalyticsOutput<'listRequests'>;

const keyset = z.tuple([z.uuid()]);

@Injectable()
export class ListRequests {
  constructor(private readonly log: RequestLogStore) {}

  async execute(input: AnalyticsInput<'listRequests'>, { tenantId }: CallContext, now = new Date()): Promise<Output> {
    const { since, until, limit, cursor, ...filters } = input;
    const scope = `requests:${tenantId}`;
    const before = cursor === undefined ? LAST_ID : decodeCursor(scope, cursor, keyset)[0];
    const oldest = firstIdOf(keptSince(now));
    const range = {
      from: greatest(oldest, since === undefined ? oldest : firstIdOf(new Date(since))),
      to: least(before, until === undefined ? LAST_ID : firstIdOf(new Date(until))),
    };
    const { rows, stoppedAfter } = await this.log.page({ tenantId, filters, range, limit: limit + 1 });
    const page = pageOf(rows, {
      limit,
      scope,
      view,
      keyset: ({ id }) => [id],
      stoppedAfter: stoppedAfter === null ? null : [stoppedAfter],
    });
    return { logs: page.items, next_cursor: page.next_cursor };
  }
}

const greatest = (one: string, other: string) => (one > other ? one : other);
const least = (one: string, other: string) => (one < other ? one : other);

const view = ({ id, created_at, duration_ms, ...row }: Entry): Output['logs'][number] => ({
  id: encodeId('log', id),
  ...row,
  // A `real` has more digits as a double.
  duration_ms: Math.round(duration_ms * 10) / 10,
  created_at: formatTimestamp(created_at),
});
