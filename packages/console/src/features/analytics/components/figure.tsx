import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { CsvButton } from '../../../ui/csv-button.js';
import type { Csv } from '../../../ui/csv.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Notice } from '../../../ui/view-states.js';

interface FigureProps<Row> {
  title: string;
  /** The time that it covers. */
  period: string;
  query: UseQueryResult<readonly Row[]>;
  isEmpty: (rows: readonly Row[]) => boolean;
  empty: { title: string; text?: string; action?: ReactNode };
  csv: { filename: string; rows: (rows: readonly Row[]) => Csv };
  isWide?: boolean;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A plot or a table with its title, its states, and its numbers as CSV. */
export function Figure<Row>({ title, period, query, isEmpty, empty, csv, isWide = false, children }: FigureProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = query;
  const titleId = useId();
  const isFilled = data !== undefined && !isEmpty(data);
  return (
    <section
      className="figure card"
      aria-labelledby={titleId}
      data-wide={isWide}
      data-stale={data !== undefined && (isPlaceholderData || error !== null)}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <span className="muted">{period}</span>
        {isFilled && <CsvButton filename={csv.filename} rows={csv.rows(data)} />}
      </header>
      {isFilled ? (
        children(data)
      ) : data ? (
        <Notice icon="chart" title={empty.title} action={empty.action}>
          {empty.text}
        </Notice>
      ) : (
        <NotLoaded error={error} refetch={refetch} rows={7} label={`Loading: ${title}`} />
      )}
    </section>
  );
}
