import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { formatCount, plural } from '../../../ui/formats.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { Failed, SkeletonRows } from '../../../ui/view-states.js';
import { usageQuery } from '../queries.js';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The pages of the month, of those that the plan has. */
export function UsageCard() {
  const { data, error, refetch } = useQuery(usageQuery(useKiln()));
  return (
    <section className="usage card" aria-label="Usage" data-stale={data !== undefined && error !== null}>
      {data ? (
        <Usage {...data} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={2} label="Loading the usage" />
      )}
    </section>
  );
}

interface UsageProps {
  period: string;
  plan: string;
  pages_used: number;
  pages_limit: number | null;
  overage_pages: number;
}

function Usage({ period, plan, pages_used: used, pages_limit: limit, overage_pages: over }: UsageProps) {
  return (
    <>
      <h2>Pages in {MONTH.format(new Date(`${period}-01T00:00:00Z`))}</h2>
      <p>
        <strong>{formatCount(used)}</strong>{' '}
        <span className="muted">
          of {limit === null ? 'any number' : formatCount(limit)} in the plan &ldquo;{plan}&rdquo;
        </span>
      </p>
      {limit !== null && <ProgressBar value={limit === 0 ? 1 : used / limit} label="Pages used of the plan" />}
      {over > 0 && <p className="usage-over">{plural(over, 'page')} beyond the plan.</p>}
    </>
  );
}
