// Converts responses of the API to the series of plots.
import type { Schemas } from '@kiln/sdk';
import type { PlotSeries } from '../../../ui/plot-data.js';

export type VolumeDay = Schemas['GetVolumeResponse']['data'][number];
export type TimesDay = Schemas['GetDailyTimesResponse']['data'][number];
export type StorageDay = Schemas['GetStorageGrowthResponse']['data'][number];

export const daysOf = (data: readonly { date: string }[]): string[] => data.map(({ date }) => date);

export const volumeSeries = (data: readonly VolumeDay[]): PlotSeries[] => [
  { label: 'Added', color: '--text', kind: 'line', values: data.map(({ uploads }) => uploads) },
  { label: 'Completed', color: '--busy', kind: 'bars', values: data.map(({ processed }) => processed) },
  { label: 'Failed', color: '--bad', kind: 'bars', values: data.map(({ failed }) => failed) },
];

/** The lines also differ in their strokes: some readers do not see the colours. A day without runs is a gap. */
export function timesSeries(data: readonly TimesDay[]): PlotSeries[] {
  const values = (field: 'p50_ms' | 'p95_ms' | 'p99_ms') => data.map((day) => (day.runs === 0 ? null : day[field]));
  return [
    { label: '50 %', color: '--busy', kind: 'line', values: values('p50_ms') },
    { label: '95 %', color: '--accent', kind: 'line', dash: [6, 3], values: values('p95_ms') },
    { label: '99 %', color: '--muted', kind: 'line', dash: [2, 3], values: values('p99_ms') },
  ];
}

export const storageSeries = (data: readonly StorageDay[]): PlotSeries[] => [
  { label: 'Stored', color: '--busy', kind: 'line', values: data.map(({ total_bytes: bytes }) => bytes) },
];

export const hasVolume = (data: readonly VolumeDay[]): boolean =>
  data.some(({ uploads, processed, failed }) => uploads + processed + failed > 0);
export const hasTimes = (data: readonly TimesDay[]): boolean => data.some(({ runs }) => runs > 0);
export const hasStorage = (data: readonly StorageDay[]): boolean => data.some(({ total_bytes: bytes }) => bytes > 0);

/** A field in each column, a record in each row. */
export const csvOf = <Row extends object, Field extends keyof Row & string>(
  fields: readonly Field[],
  rows: readonly (Row & Record<Field, string | number | null>)[],
): (string | number | null)[][] => [[...fields], ...rows.map((row) => fields.map((field) => row[field]))];
