// Why jobs have failed.
import {
  encodeId,
  fittingItems,
  formatTimestamp,
  jobErrorSchema,
  type CallContext,
  type AnalyticsInput,
  type AnalyticsOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { InsightStore } from './insight.store.js';

@Injectable()
export class ListFailures {
  constructor(private readonly insights: InsightStore) {}

  /** Fewer than `limit` if the messages would not fit into a response. */
  async failures(
    { limit }: AnalyticsInput<'listFailures'>,
    { tenantId }: CallContext,
  ): Promise<AnalyticsOutput<'listFailures'>> {
    const rows = await this.insights.failures(tenantId, limit);
    return {
      failures: fittingItems(
        rows.map(({ job_id, file_id, filename, provider, reason, message, ended_at }) => ({
          job_id: encodeId('job', job_id),
          file_id: encodeId('file', file_id),
          filename,
          provider,
          reason,
          message,
          failed_at: formatTimestamp(ended_at),
        })),
      ),
    };
  }

  async topFailures(
    { limit }: AnalyticsInput<'listTopFailures'>,
    { tenantId }: CallContext,
  ): Promise<AnalyticsOutput<'listTopFailures'>> {
    const rows = await this.insights.reasons(tenantId, limit);
    return {
      failures: rows.map(({ reason, failures, last_seen }) => ({
        reason: jobErrorSchema.shape.code.parse(reason),
        count: failures,
        last_seen: formatTimestamp(last_seen),
      })),
    };
  }
}
