// The history of a tenant's files in the last days.
import type { CallContext, AnalyticsInput, AnalyticsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { dateOf, lastDays } from './periods.domain.js';
import type { ActivityEntity } from '../rollups/activity.entity.js';
import { HistoryStore } from './history.store.js';

@Injectable()
export class ShowHistory {
  constructor(private readonly history: HistoryStore) {}

  async volume(
    input: AnalyticsInput<'getVolume'>,
    context: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getVolume'>> {
    const data = await this.days(input.days, context, now);
    return {
      data: data.map(([date, day]) => ({
        date,
        uploads: day?.uploads ?? 0,
        uploaded_bytes: day?.uploaded_bytes ?? 0,
        processed: day?.completed ?? 0,
        failed: day?.failed ?? 0,
      })),
    };
  }

  async trends(
    input: AnalyticsInput<'getTrends'>,
    context: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getTrends'>> {
    const data = await this.days(input.days, context, now);
    return {
      data: data.map(([date, day]) => ({
        date,
        uploads: day?.uploads ?? 0,
        completed: day?.completed ?? 0,
        failed: day?.failed ?? 0,
      })),
    };
  }

  /** Computes the totals backwards from the bytes that are stored now. */
  async storageGrowth(
    input: AnalyticsInput<'getStorageGrowth'>,
    { tenantId }: CallContext,
    now = new Date(),
  ): Promise<AnalyticsOutput<'getStorageGrowth'>> {
    const dates = lastDays(input.days, now);
    const { sizeBytes, changes } = await this.history.storedBytes(tenantId, dates[0] ?? '');
    const deltaOf = new Map(changes.map((change) => [dateOf(change.day), change.stored_bytes]));
    let total = sizeBytes - changes.reduce((sum, change) => sum + change.stored_bytes, 0);
    return {
      data: dates.map((date) => {
        const delta = deltaOf.get(date) ?? 0;
        total += delta;
        return { date, total_bytes: total, delta_bytes: delta };
      }),
    };
  }

  private async days(
    days: number,
    { tenantId }: CallContext,
    now: Date,
  ): Promise<[date: string, day?: ActivityEntity][]> {
    const dates = lastDays(days, now);
    const rows = await this.history.days(tenantId, dates[0] ?? '');
    const dayOf = new Map(rows.map((row) => [dateOf(row.starts_at), row]));
    return dates.map((date) => [date, dayOf.get(date)]);
  }
}
