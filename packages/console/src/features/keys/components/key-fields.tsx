import { useId } from 'react';
import { useMe, useMode, type Mode } from '../../../api/me.js';
import { toggled, type Lifetime, type NewKey } from '../lib/new-key.js';
import { ScopeChecklist } from './scope-checklist.js';

interface KeyFieldsProps {
  form: NewKey;
  lifetimes: readonly Lifetime[];
  /** Whether the key of this session expires, and with it each key that it creates. */
  isBounded: boolean;
  onChange: (form: NewKey) => void;
}

export function KeyFields({ form, lifetimes, isBounded, onChange }: KeyFieldsProps) {
  const own = useMe().data?.scopes ?? [];
  const isLive = useMode() === 'live';
  const [nameId, lifetimeId] = [useId(), useId()];
  const change = (part: Partial<NewKey>) => onChange({ ...form, ...part });
  return (
    <>
      <label htmlFor={nameId}>Name</label>
      <input
        id={nameId}
        value={form.name}
        maxLength={100}
        placeholder="What uses it: billing-service"
        onChange={({ target }) => change({ name: target.value })}
      />
      {isLive && <ModeChoice value={form.mode} onChange={(mode) => change({ mode })} />}
      <label htmlFor={lifetimeId}>Expires</label>
      <select id={lifetimeId} value={form.lifetime} onChange={({ target }) => change({ lifetime: target.value })}>
        {lifetimes.map(({ title }) => (
          <option key={title}>{title}</option>
        ))}
      </select>
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

const modeTitles: Readonly<Record<Mode, string>> = { live: 'Live data', test: 'Test data' };

function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
  return (
    <div className="segments" role="group" aria-label="Data">
      {(['live', 'test'] as const).map((mode) => (
        <button key={mode} type="button" aria-pressed={mode === value} onClick={() => onChange(mode)}>
          {modeTitles[mode]}
        </button>
      ))}
    </div>
  );
}
