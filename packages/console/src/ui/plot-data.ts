// The data of a plot, in the form that uPlot draws.

export interface PlotSeries {
  label: string;
  /** A colour of tokens.css. */
  color: `--${string}`;
  kind: 'bars' | 'line';
  /** Lengths of strokes and gaps in pixels. Without it a line is solid. */
  dash?: readonly number[];
  /** One for each day. Null where there is none. */
  values: readonly (number | null)[];
}

/** Seconds since 1970 of the beginning of a day in UTC. */
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

/**
 * The days, then the values of each series, last series first: what is drawn first lies below. Bars stand on the bars of the series
 * before them.
 */
export function alignedData(
  days: readonly string[],
  series: readonly PlotSeries[],
): [number[], ...(number | null)[][]] {
  const heights = days.map(() => 0);
  const drawn = series.map(({ kind, values }) => {
    if (kind === 'line') return [...values];
    return values.map((value, index) => {
      heights[index] = (heights[index] ?? 0) + (value ?? 0);
      return heights[index];
    });
  });
  return [days.map(secondsOf), ...drawn.toReversed()];
}
