// A plot of days. Its size, its configuration and its data are applied independently; a table has the same numbers.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { DataTable } from './data-table.js';
import { formatDay } from './formats.js';
import { alignedData, type PlotSeries } from './plot-data.js';
import { plotOptions, type SeriesStyle } from './plot-options.js';
import './plot.css';

interface PlotProps {
  label: string;
  /** `2026-11-27`, in UTC, oldest first. */
  days: readonly string[];
  /** The first series is drawn on top. */
  series: readonly PlotSeries[];
  format: (value: number) => string;
  /** Whether only whole values exist. */
  isCount?: boolean;
}

const HEIGHT = 190;

export function Plot({ label, days, series, format, isCount = false }: PlotProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const area = useUplot({ days, series, format, isCount, onDay: setPointed });
  const shown = pointed !== null && pointed < days.length ? pointed : days.length - 1;
  return (
    <figure className="plot">
      <figcaption>
        <span className="muted">{formatDay(days[shown] ?? '')}</span>
        {series.map(({ label: name, color, kind, dash, values }) => (
          <span key={name} className="plot-key">
            <i data-kind={dash ? 'dashed' : kind} style={{ color: `var(${color})` }} />
            {name} <strong>{valueText(values[shown], format)}</strong>
          </span>
        ))}
      </figcaption>
      <div ref={area} className="plot-area" role="img" aria-label={`${label}. The table below has its numbers.`} />
      <PlotTable label={label} days={days} series={series} format={format} />
    </figure>
  );
}

const valueText = (value: number | null | undefined, format: (value: number) => string) =>
  value == null ? '–' : format(value);

type Drawn = Required<Omit<PlotProps, 'label'>> & { onDay: (index: number | null) => void };

function useUplot({ days, series, format, isCount, onDay }: Drawn) {
  const area = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const data = useMemo(() => alignedData(days, series), [days, series]);
  const style = JSON.stringify(series.map(({ label, color, kind, dash }) => ({ label, color, kind, dash })));
  const pointAt = useEffectEvent(onDay);
  const currentData = useEffectEvent(() => data);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const styles = JSON.parse(style) as SeriesStyle[];
    const options = plotOptions(element, { series: styles, format, isCount, onDay: (index) => pointAt(index) });
    const made = new uPlot({ ...options, width: element.clientWidth, height: HEIGHT }, currentData(), element);
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [style, format, isCount]);

  useEffect(() => plot.current?.setData(data), [data]);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => onThemeChange(() => plot.current?.redraw(false)), []);
  return area;
}

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', listener);
  };
}

function PlotTable({ label, days, series, format }: Omit<PlotProps, 'isCount'>) {
  return (
    <details className="plot-table">
      <summary>Show as a table</summary>
      <DataTable
        label={label}
        className="plot-scroll"
        columns={[
          { title: 'Day (UTC)', cell: (index) => days[index] },
          ...series.map(({ label: title, values }) => ({
            title,
            cell: (index: number) => valueText(values[index], format),
          })),
        ]}
        rows={days.map((_day, index) => index)}
        keyOf={(index) => days[index] ?? ''}
      />
    </details>
  );
}
