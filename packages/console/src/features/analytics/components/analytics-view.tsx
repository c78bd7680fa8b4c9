// Volume, processing times, failures, and the usage of the plan.
import { useMay } from '../../../api/me.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { OptionGroup } from '../../../ui/option-group.js';
import { PageHead } from '../../../ui/page-head.js';
import '../analytics.css';
import { addressOf, DEFAULT_RANGE, ranges, type AnalyticsAddress } from '../lib/analytics-address.js';
import { analyticsCalls } from '../lib/analytics-calls.js';
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
      <PageHead title="Analytics">
        <OptionGroup
          label="Days shown"
          options={ranges}
          titleOf={(range) => `${range} days`}
          value={days}
          onChange={(range) => onAddress(addressOf(range))}
        />
      </PageHead>
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
