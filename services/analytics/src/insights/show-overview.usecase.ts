// The present totals of a tenant.
import type { CallContext, AnalyticsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { shareOf } from './share.domain.js';
import { InsightStore, type Totals } from './insight.store.js';

const NOTHING: Totals = {
  uploading: 0,
  uploaded: 0,
  processing: 0,
  completed: 0,
  failed: 0,
  size_bytes: 0,
  jobs: 0,
  variants: 0,
  jobs_completed: 0,
  jobs_failed: 0,
  connections: 0,
};

@Injectable()
export class ShowOverview {
  constructor(private readonly insights: InsightStore) {}

  async overview({ tenantId }: CallContext): Promise<AnalyticsOutput<'getOverview'>> {
    const totals = (await this.insights.totals(tenantId)) ?? NOTHING;
    const { uploading, uploaded, processing, completed, failed } = totals;
    return {
      total_files: uploading + uploaded + processing + completed + failed,
      total_jobs: totals.jobs,
      total_variants: totals.variants,
      total_connections: totals.connections,
      success_rate: shareOf(totals.jobs_completed, totals.jobs_completed + totals.jobs_failed),
      files_by_status: { uploading, uploaded, processing, completed, failed },
    };
  }

  async fileTypes({ tenantId }: CallContext): Promise<AnalyticsOutput<'getFileTypes'>> {
    const rows = await this.insights.types(tenantId);
    return {
      types: rows.map(({ content_type, files, size_bytes }) => ({
        content_type,
        count: files,
        total_bytes: size_bytes,
      })),
    };
  }

  async spaces({ tenantId }: CallContext): Promise<AnalyticsOutput<'getSpaceHealth'>> {
    const rows = await this.insights.spaces(tenantId);
    return {
      spaces: rows.map(({ space, files, completed, failed }) => ({
        space,
        file_count: files,
        completed,
        failed,
        success_rate: shareOf(completed, completed + failed),
        health_score: Math.floor((100 * (files - failed)) / files),
      })),
    };
  }
}
