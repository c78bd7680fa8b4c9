import { Choice } from '../../../ui/choice.js';
import { SelectField } from '../../../ui/field.js';
import { intervalsOf, type SyncPolicy } from '../lib/sync-policy.js';

interface SyncPolicyFieldsProps {
  policy: SyncPolicy;
  onChange: (policy: SyncPolicy) => void;
}

/** When syncs start, and whether they process objects. */
export function SyncPolicyFields({ policy, onChange }: SyncPolicyFieldsProps) {
  const { minutes, isAutomatic } = policy;
  return (
    <>
      <SelectField
        title="Sync"
        options={intervalsOf(minutes).map(([interval, title]) => [String(interval ?? ''), title])}
        value={String(minutes ?? '')}
        onChange={(value) => onChange({ ...policy, minutes: value === '' ? null : Number(value) })}
      />
      <Choice isChosen={isAutomatic} onToggle={() => onChange({ ...policy, isAutomatic: !isAutomatic })}>
        Process new and changed objects after each sync
      </Choice>
    </>
  );
}
