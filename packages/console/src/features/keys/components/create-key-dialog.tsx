import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { useMe, useMode, type Mode } from '../../../api/me.js';
import { Dialog } from '../../../ui/dialog.js';
import { lifetimesFor, requestOf, toggled, type NewKey } from '../lib/new-key.js';
import { keysKeys } from '../queries.js';
import { ScopeChecklist } from './scope-checklist.js';
import { SecretDialog } from './secret-dialog.js';

interface CreateKeyDialogProps {
  /** When the key of this session expires; null if it does not. */
  ownExpiresAt: string | null;
  onClose: () => void;
}

/** After the creation it shows the secret, once. */
export function CreateKeyDialog({ ownExpiresAt, onClose }: CreateKeyDialogProps) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const own = useMe().data?.scopes ?? [];
  const mode = useMode();
  const [form, setForm] = useState<NewKey>({ name: '', mode, scopes: new Set(), lifetime: '90 days' });
  const [lifetimes] = useState(() => lifetimesFor(ownExpiresAt, new Date()));
  const create = useMutation({
    mutationFn: (request: NonNullable<ReturnType<typeof requestOf>>) => kiln.apiKeys.create(request),
    onSuccess: () => cache.invalidateQueries({ queryKey: keysKeys.list }),
  });
  const ids = { form: useId(), name: useId(), life: useId() };
  const change = (part: Partial<NewKey>) => setForm({ ...form, ...part });
  const request = requestOf(form, lifetimes);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request) create.mutate(request);
  };
  if (create.data) return <SecretDialog created={create.data} onClose={onClose} />;
  return (
    <Dialog
      title="Create an API key"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            form={ids.form}
            className="button button-primary"
            disabled={!request || create.isPending}
          >
            Create
          </button>
        </>
      }
    >
      <form id={ids.form} className="key-form" onSubmit={submit}>
        <label htmlFor={ids.name}>Name</label>
        <input
          id={ids.name}
          value={form.name}
          maxLength={100}
          placeholder="What uses it: billing-service"
          onChange={({ target }) => change({ name: target.value })}
        />
        {mode === 'live' && <ModeChoice value={form.mode} onChange={(chosen) => change({ mode: chosen })} />}
        <label htmlFor={ids.life}>Expires</label>
        <select id={ids.life} value={form.lifetime} onChange={({ target }) => change({ lifetime: target.value })}>
          {lifetimes.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
        {ownExpiresAt !== null && (
          <p className="muted">
            A key cannot outlive the key of this session. To create a lasting one, sign in with one.
          </p>
        )}
        <ScopeChecklist
          own={own}
          chosen={form.scopes}
          onToggle={(scope) => change({ scopes: toggled(form.scopes, scope) })}
        />
        {create.error && (
          <p className="form-error" role="alert">
            {errorText(create.error).detail}
          </p>
        )}
      </form>
    </Dialog>
  );
}

const modeTitles: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };

function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
  return (
    <div className="segments" role="group" aria-label="Data">
      {(['live', 'test'] as const).map((mode) => (
        <button key={mode} type="button" aria-pressed={mode === value} onClick={() => onChange(mode)}>
          {modeTitles[mode]} data
        </button>
      ))}
    </div>
  );
}
