// Volume, processing times, failures, and the usage of the plan.
import { ActionCommands } from '../../../ui/action-commands.js';
import { useMay } from '../../../api/me.js';
import { addressOf, DEFAULT_RANGE, ranges, type AnalyticsAddress } from '../lib/analytics-address.js';
import { analyticsCalls } from '../lib/analytics-calls.js';
import '../../../ui/data-table.css';
import '../analytics.css';
import { DayPlots } from './day-plots.js';
import { FailuresTable, ProvidersTable, SpacesTable } from './share-tables.js';
import { UsageCard } from './usage-card.js';

interface AnalyticsViewProps {
  address: AnalyticsAddress;
  onAddress: (address: AnalyticsAddress) => void;
}

export function AnalyticsView({ address, onAddress }: AnalyticsViewProps) {
  const { days = DEFAULT_RANGE } = address;
  const maySeeUsage = useMay('org:read');
  return (
    <>
      <div className="page-head">
        <h1>Analytics</h1>
        <div className="segments" role="group" aria-label="Days shown">
          {ranges.map((range) => (
            <button key={range} type="button" aria-pressed={range === days} onClick={() => onAddress(addressOf(range))}>
              {range} days
            </button>
          ))}
        </div>
      </div>
      {maySeeUsage && <UsageCard />}
      <div className="figures">
        <DayPlots days={days} onDays={(range) => onAddress(addressOf(range))} />
        <FailuresTable />
        <SpacesTable />
        <ProvidersTable days={days} />
      </div>
      <div className="page-commands">
        <ActionCommands calls={analyticsCalls(days)} />
      </div>
    </>
  );
}
