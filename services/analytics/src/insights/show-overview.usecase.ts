// What a tenant has now.
import type { CallContext, OperationOutput, analyticsOperations } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { shareOf } from './share.domain.js';
import { InsightStore, type Totals } from './insight.store.js';

type Ops = typeof analyticsOperations;
type Output<Name extends keyof Ops> = Promise<OperationOutput<Ops[Name]>>;

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

  async overview({ tenantId }: CallContext): Output<'getOverview'> {
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

  async fileTypes({ tenantId }: CallContext): Output<'getFileTypes'> {
    const rows = await this.insights.types(tenantId);
    return {
      types: rows.map(({ content_type, files, size_bytes }) => ({
        content_type,
        count: files,
        total_bytes: size_bytes,
      })),
    };
  }

  async spaces({ tenantId }: CallContext): Output<'getSpaceHealth'> {
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
