// Failures by reason, files by space, jobs by provider.
import type { Schemas } from '@kiln/sdk';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
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
        <ShareTable
          label="Failures by reason"
          heads={['Reason', 'Failures', 'Last']}
          most={Math.max(...rows.map(({ count }) => count))}
          rows={rows.map(({ reason, count, last_seen: last }) => ({
            name: words(reason),
            count,
            more: [<Time key="last" value={last} />],
          }))}
          isBad
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
        <ShareTable
          label="Spaces"
          heads={['Space', 'Files', 'Failed', 'Healthy']}
          most={Math.max(...rows.map(({ file_count: count }) => count))}
          rows={rows.map(({ space, file_count: count, failed, health_score: score }) => ({
            name: space,
            count,
            more: [formatCount(failed), `${score} %`],
          }))}
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
        <ShareTable
          label="Providers"
          heads={['Provider', 'Jobs', 'Succeeded', 'Mean time']}
          most={Math.max(...rows.map(({ total_jobs: count }) => count))}
          rows={rows.map(({ provider, total_jobs: count, success_rate: rate, avg_ms: ms }) => ({
            name: words(provider),
            count,
            more: [percent(rate), formatMs(ms)],
          }))}
        />
      )}
    </Figure>
  );
}

interface ShareTableProps {
  label: string;
  heads: readonly string[];
  /** The count whose bar has the full width. */
  most: number;
  rows: readonly { name: string; count: number; more: readonly ReactNode[] }[];
  isBad?: boolean;
}

/** Each count has a bar beside it. */
function ShareTable({ label, heads, most, rows, isBad = false }: ShareTableProps) {
  return (
    <div className="figure-scroll" tabIndex={0} role="group" aria-label={`Table: ${label}`}>
      <table className="data-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, more }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <span className="share" data-bad={isBad}>
                  {formatCount(count)} <i style={{ width: `${(count / Math.max(1, most)) * 100}%` }} />
                </span>
              </td>
              {more.map((cell, index) => (
                <td key={heads[index + 2]} className="muted">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
