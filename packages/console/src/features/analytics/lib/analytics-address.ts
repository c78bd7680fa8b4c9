// The range of days, as the address has it.
export const ranges = [7, 30, 90] as const;
export type Range = (typeof ranges)[number];

export const DEFAULT_RANGE: Range = 30;

export interface AnalyticsAddress {
  days?: Range;
}

/** Leaves out the default. */
export const addressOf = (days: Range | undefined): AnalyticsAddress =>
  days === undefined || days === DEFAULT_RANGE ? {} : { days };

/** Ignores what it does not know: addresses are typed and shared. */
export const readAnalyticsAddress = (search: Record<string, unknown>): AnalyticsAddress =>
  addressOf(ranges.find((days) => String(days) === String(search['days'])));
