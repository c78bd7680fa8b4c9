// The plots by day: volume, processing times, storage.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Button } from '../../../ui/button.js';
import { formatBytes, formatCount, formatMs } from '../../../ui/formats.js';
import type { PlotSeries } from '../../../ui/plot-data.js';
import { Plot } from '../../../ui/plot.js';
import type { Range } from '../lib/analytics-address.js';
import {
  csvOf,
  daysOf,
  hasStorage,
  hasTimes,
  hasVolume,
  storageSeries,
  timesSeries,
  volumeSeries,
  type StorageDay,
  type TimesDay,
  type VolumeDay,
} from '../lib/series.js';
import { storageQuery, timesQuery, volumeQuery } from '../queries.js';
import { Figure } from './figure.js';

interface DayPlotsProps {
  days: Range;
  onDays: (days: Range) => void;
}

export function DayPlots({ days, onDays }: DayPlotsProps) {
  const kiln = useKiln();
  const empty = { title: `Nothing in ${days} days`, action: <LongestRange days={days} onDays={onDays} /> };
  const shared = { period: `Last ${days} days, UTC`, empty };
  const volume: UseQueryResult<readonly VolumeDay[]> = useQuery(volumeQuery(kiln, days));
  const times: UseQueryResult<readonly TimesDay[]> = useQuery(timesQuery(kiln, days));
  const storage: UseQueryResult<readonly StorageDay[]> = useQuery(storageQuery(kiln, days));
  return (
    <>
      <Figure
        {...shared}
        title="Volume"
        query={volume}
        isEmpty={(rows) => !hasVolume(rows)}
        csv={{ filename: 'kiln-volume.csv', rows: (rows) => csvOf(VOLUME_FIELDS, rows) }}
        isWide
      >
        {(rows) => (
          <Days label="Files and jobs by day" rows={rows} seriesOf={volumeSeries} format={formatCount} isCount />
        )}
      </Figure>
      <Figure
        {...shared}
        title="Processing time"
        query={times}
        isEmpty={(rows) => !hasTimes(rows)}
        csv={{ filename: 'kiln-processing-times.csv', rows: (rows) => csvOf(TIMES_FIELDS, rows) }}
      >
        {(rows) => (
          <Days label="Time within which jobs completed" rows={rows} seriesOf={timesSeries} format={formatMs} />
        )}
      </Figure>
      <Figure
        {...shared}
        title="Storage"
        query={storage}
        isEmpty={(rows) => !hasStorage(rows)}
        csv={{ filename: 'kiln-storage.csv', rows: (rows) => csvOf(STORAGE_FIELDS, rows) }}
      >
        {(rows) => <Days label="Bytes of all files" rows={rows} seriesOf={storageSeries} format={formatBytes} />}
      </Figure>
    </>
  );
}

const VOLUME_FIELDS = ['date', 'uploads', 'uploaded_bytes', 'processed', 'failed'] as const;
const TIMES_FIELDS = ['date', 'p50_ms', 'p95_ms', 'p99_ms', 'runs'] as const;
const STORAGE_FIELDS = ['date', 'total_bytes', 'delta_bytes'] as const;

interface DaysProps<Day> {
  label: string;
  rows: readonly Day[];
  seriesOf: (rows: readonly Day[]) => PlotSeries[];
  format: (value: number) => string;
  isCount?: boolean;
}

function Days<Day extends { date: string }>({ label, rows, seriesOf, format, isCount = false }: DaysProps<Day>) {
  const drawn = useMemo(() => ({ days: daysOf(rows), series: seriesOf(rows) }), [rows, seriesOf]);
  return <Plot label={label} {...drawn} format={format} isCount={isCount} />;
}

function LongestRange({ days, onDays }: DayPlotsProps) {
  if (days === 90) return 'Upload files, and their processing appears here.';
  return <Button onClick={() => onDays(90)}>Show 90 days</Button>;
}
