import type { Schemas } from '@kiln/sdk';
import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { formatCount, plural } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { usageQuery } from '../queries.js';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The pages that were used this month, and how many the plan has. */
export function UsageCard() {
  const { data, error, refetch } = useQuery(usageQuery(useKiln()));
  return (
    <section className="usage card" aria-label="Usage" data-stale={data !== undefined && error !== null}>
      {data ? <Usage usage={data} /> : <NotLoaded error={error} refetch={refetch} rows={2} label="Loading the usage" />}
    </section>
  );
}

function Usage({ usage }: { usage: Schemas['GetUsageResponse'] }) {
  const { period, plan, pages_used: used, pages_limit: limit, overage_pages: over } = usage;
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
