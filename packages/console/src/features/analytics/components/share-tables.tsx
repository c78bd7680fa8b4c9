// Failures by reason, files by space, jobs by provider.
import type { Schemas } from '@kiln/sdk';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { DataTable } from '../../../ui/data-table.js';
import { formatCount, formatMs } from '../../../ui/formats.js';
import { Time } from '../../../ui/time.js';
import type { Range } from '../lib/analytics-address.js';
import { csvOf } from '../lib/series.js';
import { failuresQuery, providersQuery, spacesQuery } from '../queries.js';
import { Figure } from './figure.js';

type Failure = Schemas['ListTopFailuresResponse']['failures'][number];
type Space = Schemas['GetSpaceHealthResponse']['spaces'][number];
type Provider = Schemas['GetProvidersResponse']['providers'][number];

const isEmpty = (rows: readonly unknown[]) => rows.length === 0;
const words = (code: string) => code.replaceAll('_', ' ');
const percent = (share: number) => `${Math.floor(share * 1_000) / 10} %`;

export function FailuresTable() {
  const query: UseQueryResult<readonly Failure[]> = useQuery(failuresQuery(useKiln()));
  return (
    <Figure
      title="Failures by reason"
      period="All time"
      query={query}
      isEmpty={isEmpty}
      empty={{ title: 'No job has failed' }}
      csv={{ filename: 'kiln-failures.csv', rows: (rows) => csvOf(['reason', 'count', 'last_seen'], rows) }}
    >
      {(rows) => (
        <DataTable
          label="Failures by reason"
          className="figure-scroll"
          columns={[
            { title: 'Reason', cell: ({ reason }) => words(reason) },
            { title: 'Failures', cell: ({ count }) => <Share of={rows.map((row) => row.count)} count={count} isBad /> },
            { title: 'Last', className: 'muted', cell: ({ last_seen: time }) => <Time value={time} /> },
          ]}
          rows={rows}
          keyOf={({ reason }) => reason}
        />
      )}
    </Figure>
  );
}

export function SpacesTable() {
  const query: UseQueryResult<readonly Space[]> = useQuery(spacesQuery(useKiln()));
  const fields = ['space', 'file_count', 'completed', 'failed', 'success_rate', 'health_score'] as const;
  return (
    <Figure
      title="Spaces"
      period="Now"
      query={query}
      isEmpty={isEmpty}
      empty={{ title: 'No files yet', text: 'Each space of your files is a row here.' }}
      csv={{ filename: 'kiln-spaces.csv', rows: (rows) => csvOf(fields, rows) }}
    >
      {(rows) => (
        <DataTable
          label="Spaces"
          className="figure-scroll"
          columns={[
            { title: 'Space', cell: ({ space }) => space },
            {
              title: 'Files',
              cell: ({ file_count: count }) => <Share of={rows.map((row) => row.file_count)} count={count} />,
            },
            { title: 'Failed', className: 'muted', cell: ({ failed }) => formatCount(failed) },
            { title: 'Healthy', className: 'muted', cell: ({ health_score: score }) => `${score} %` },
          ]}
          rows={rows}
          keyOf={({ space }) => space}
        />
      )}
    </Figure>
  );
}

export function ProvidersTable({ days }: { days: Range }) {
  const query: UseQueryResult<readonly Provider[]> = useQuery(providersQuery(useKiln(), days));
  return (
    <Figure
      title="Providers"
      period={`Last ${days} days`}
      query={query}
      isEmpty={isEmpty}
      empty={{ title: `No job ended in ${days} days` }}
      csv={{
        filename: 'kiln-providers.csv',
        rows: (rows) => csvOf(['provider', 'total_jobs', 'success_rate', 'avg_ms'], rows),
      }}
    >
      {(rows) => (
        <DataTable
          label="Providers"
          className="figure-scroll"
          columns={[
            { title: 'Provider', cell: ({ provider }) => words(provider) },
            {
              title: 'Jobs',
              cell: ({ total_jobs: count }) => <Share of={rows.map((row) => row.total_jobs)} count={count} />,
            },
            { title: 'Succeeded', className: 'muted', cell: ({ success_rate: rate }) => percent(rate) },
            { title: 'Mean time', className: 'muted', cell: ({ avg_ms: ms }) => formatMs(ms) },
          ]}
          rows={rows}
          keyOf={({ provider }) => provider}
        />
      )}
    </Figure>
  );
}

/** A count with a bar. The largest of all counts has the full width. */
function Share({ of, count, isBad = false }: { of: readonly number[]; count: number; isBad?: boolean }) {
  return (
    <span className="share" data-bad={isBad}>
      {formatCount(count)} <i style={{ width: `${(count / Math.max(1, ...of)) * 100}%` }} />
    </span>
  );
}
