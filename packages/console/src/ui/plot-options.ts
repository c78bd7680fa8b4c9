// The options of a plot: an axis of days, labels at whole days, the colours of the theme.
import uPlot from 'uplot';
import { formatDay } from './formats.js';
import type { PlotSeries } from './plot-data.js';

export type SeriesStyle = Omit<PlotSeries, 'values'>;

interface PlotStyle {
  series: readonly SeriesStyle[];
  format: (value: number) => string;
  /** Whether only whole values exist. */
  isCount: boolean;
  /** The index of the day below the pointer, or null. */
  onDay: (index: number | null) => void;
}

const DAY_SECONDS = 86_400;
const DAYS_BETWEEN_LABELS = [1, 2, 7, 14, 30, 90];
const BAR_SHARE = 0.6;
const BAR_WIDTH_MAX = 32;
const COUNT_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 12 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);

/** Without the size. The colours are read from the style of the element, which is in the page. */
export function plotOptions(element: HTMLElement, style: PlotStyle): Omit<uPlot.Options, 'width' | 'height'> {
  const axis: uPlot.Axis = {
    stroke: () => colorOf(element, '--muted'),
    grid: { stroke: () => colorOf(element, '--border'), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(element).fontFamily}`,
  };
  const dayAxis: uPlot.Axis = {
    ...axis,
    grid: { show: false },
    size: 26,
    space: 56,
    incrs: DAYS_BETWEEN_LABELS.map((days) => days * DAY_SECONDS),
    values: (_plot, times) => times.map((seconds) => formatDay(dayOf(seconds))),
  };
  const valueAxis: uPlot.Axis = {
    ...axis,
    size: 60,
    space: 36,
    ...(style.isCount && { incrs: COUNT_STEPS }),
    values: (_plot, values) => values.map(style.format),
  };
  return {
    series: [{}, ...style.series.map((series) => seriesOptions(element, series)).toReversed()],
    axes: [dayAxis, valueAxis],
    scales: {
      x: { time: false, range: (_plot, first, last) => [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    hooks: { setCursor: [({ cursor }) => style.onDay(cursor.idx ?? null)] },
  };
}

function seriesOptions(element: HTMLElement, { label, color, kind, dash }: SeriesStyle): uPlot.Series {
  const stroke = () => colorOf(element, color);
  if (kind === 'line') {
    return { label, stroke, width: 1.75, ...(dash && { dash: [...dash] }), points: { size: 5, stroke, fill: stroke } };
  }
  const bars = uPlot.paths.bars;
  return {
    label,
    fill: stroke,
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars({ size: [BAR_SHARE, BAR_WIDTH_MAX] }) }),
  };
}

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** A canvas needs the value of a colour. It depends on the theme, so it is read from an element that has the colour. */
function colorOf(element: HTMLElement, token: string): string {
  element.style.color = `var(${token})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}
