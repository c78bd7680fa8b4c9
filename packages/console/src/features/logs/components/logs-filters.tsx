import { FilterInput } from '../../../ui/filter-input.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { localTimeOf } from '../../../ui/formats.js';
import { methods, readLogsAddress, type LogsAddress } from '../lib/logs-address.js';

interface LogsFiltersProps {
  address: LogsAddress;
  onAddress: (address: LogsAddress) => void;
}

export function LogsFilters({ address, onAddress }: LogsFiltersProps) {
  const change = (part: { [Name in keyof LogsAddress]: string }) => onAddress(readLogsAddress({ ...address, ...part }));
  return (
    <search className="logs-filters">
      <FilterSelect
        label="Method"
        all="Any method"
        options={methods}
        value={address.method}
        onChange={(method) => change({ method: method ?? '' })}
      />
      <FilterInput
        className="logs-path"
        data-page-search
        label="Beginning of the path"
        placeholder="/v1/files"
        value={address.path ?? ''}
        onChange={(path) => change({ path })}
      />
      <FilterInput
        className="logs-status"
        label="Status"
        placeholder="Status"
        inputMode="numeric"
        maxLength={3}
        value={String(address.status ?? '')}
        onChange={(status) => change({ status })}
      />
      <FilterInput
        label="Name of the key"
        placeholder="Name of the key"
        value={address.key ?? ''}
        onChange={(key) => change({ key })}
      />
      <TimeFilter label="From" value={address.since} onChange={(since) => change({ since })} />
      <TimeFilter label="Until" value={address.until} onChange={(until) => change({ until })} />
    </search>
  );
}

interface TimeFilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

function TimeFilter({ label, value, onChange }: TimeFilterProps) {
  return (
    <label className="logs-time">
      {label}
      <input
        type="datetime-local"
        value={value === undefined ? '' : localTimeOf(new Date(value))}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
