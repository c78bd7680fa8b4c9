// How long runs take, and how many jobs each provider completes.
import { providerSchema, type CallContext, type AnalyticsInput, type AnalyticsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { durationOf } from '../rollups/duration-buckets.domain.js';
import { dateOf, lastDays, windowOf } from './periods.domain.js';
import { shareOf } from './share.domain.js';
import { HistoryStore } from './history.store.js';

@Injectable()
export class ShowProcessing {
  constructor(private readonly history: HistoryStore) {}

  async processing(
    { days }: AnalyticsInput<'getProcessing'>,
    { tenantId }: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getProcessing'>> {
    const { p50, p95, p99, providers } = await this.history.processing(tenantId, windowOf(days, now));
    return {
      p50_ms: millisecondsOf(p50),
      p95_ms: millisecondsOf(p95),
      p99_ms: millisecondsOf(p99),
      by_provider: providers
        .filter(({ completed }) => completed > 0)
        .map(({ provider, completed, avg_ms }) => ({
          provider: providerSchema.parse(provider),
          avg_ms: rounded(avg_ms),
          count: completed,
        })),
    };
  }

  async daily(
    { days }: AnalyticsInput<'getDailyTimes'>,
    { tenantId }: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getDailyTimes'>> {
    const dates = lastDays(days, now);
    const rows = await this.history.dailyTimes(tenantId, dates[0] ?? '');
    const dayOf = new Map(rows.map((row) => [dateOf(row.day), row]));
    return {
      data: dates.map((date) => {
        const { p50, p95, p99, runs } = dayOf.get(date) ?? NO_RUNS;
        return { date, p50_ms: millisecondsOf(p50), p95_ms: millisecondsOf(p95), p99_ms: millisecondsOf(p99), runs };
      }),
    };
  }

  async providers(
    { days }: AnalyticsInput<'getProviders'>,
    { tenantId }: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getProviders'>> {
    const rows = await this.history.providers(tenantId, windowOf(days, now));
    return {
      providers: rows
        .filter(({ completed, failed }) => completed + failed > 0)
        .map(({ provider, completed, failed, avg_ms }) => ({
          provider: providerSchema.parse(provider),
          total_jobs: completed + failed,
          success_rate: shareOf(completed, completed + failed),
          avg_ms: rounded(avg_ms),
        })),
    };
  }
}

const NO_RUNS = { p50: null, p95: null, p99: null, runs: 0 };

const rounded = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
const millisecondsOf = (bucket: number | null) => (bucket === null ? 0 : rounded(durationOf(bucket)));
