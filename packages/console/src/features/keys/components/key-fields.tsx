import { useMe, useMode } from '../../../api/me.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { OptionGroup } from '../../../ui/option-group.js';
import { toggled } from '../../../ui/toggled.js';
import type { Lifetime, NewKey } from '../lib/new-key.js';
import { ScopeChecklist } from './scope-checklist.js';

interface KeyFieldsProps {
  form: NewKey;
  lifetimes: readonly Lifetime[];
  /** Whether the key of this session expires, and with it each key that it creates. */
  isBounded: boolean;
  onChange: (form: NewKey) => void;
}

const modeTitles = { live: 'Live data', test: 'Test data' } as const;

export function KeyFields({ form, lifetimes, isBounded, onChange }: KeyFieldsProps) {
  const own = useMe().data?.scopes ?? [];
  const isLive = useMode() === 'live';
  const change = (part: Partial<NewKey>) => onChange({ ...form, ...part });
  return (
    <>
      <TextField
        title="Name"
        value={form.name}
        maxLength={100}
        placeholder="What uses it: billing-service"
        onChange={(name) => change({ name })}
      />
      {isLive && (
        <OptionGroup
          label="Data"
          options={['live', 'test']}
          titleOf={(mode) => modeTitles[mode]}
          value={form.mode}
          onChange={(mode) => change({ mode })}
        />
      )}
      <SelectField
        title="Expires"
        options={lifetimes.map(({ title }) => [title, title])}
        value={form.lifetime}
        onChange={(lifetime) => change({ lifetime })}
      />
      {isBounded && (
        <p className="muted">
          A key cannot outlive the key of this session. To create a lasting one, sign in with one.
        </p>
      )}
      <ScopeChecklist
        own={own}
        chosen={form.scopes}
        onToggle={(scope) => change({ scopes: toggled(form.scopes, scope) })}
      />
    </>
  );
}
