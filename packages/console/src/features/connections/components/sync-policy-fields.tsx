import { useId } from 'react';
import { intervalsOf, type SyncPolicy } from '../lib/sync-policy.js';

interface SyncPolicyFieldsProps {
  policy: SyncPolicy;
  onChange: (policy: SyncPolicy) => void;
}

/** When syncs start, and whether they process objects. */
export function SyncPolicyFields({ policy, onChange }: SyncPolicyFieldsProps) {
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Sync</label>
        <select
          id={id}
          value={policy.minutes ?? ''}
          onChange={({ target: { value } }) => onChange({ ...policy, minutes: value === '' ? null : Number(value) })}
        >
          {intervalsOf(policy.minutes).map(([minutes, title]) => (
            <option key={title} value={minutes ?? ''}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <label className="connection-choice">
        <input
          type="checkbox"
          checked={policy.isAutomatic}
          onChange={() => onChange({ ...policy, isAutomatic: !policy.isAutomatic })}
        />
        Process new and changed objects after each sync
      </label>
    </>
  );
}
