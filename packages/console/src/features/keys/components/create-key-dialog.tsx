import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { useMode } from '../../../api/me.js';
import { Dialog } from '../../../ui/dialog.js';
import { createCall } from '../lib/key-calls.js';
import { lifetimesFor, requestOf, type NewKey } from '../lib/new-key.js';
import { keysKeys } from '../queries.js';
import { KeyFields } from './key-fields.js';
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
  const formId = useId();
  const [lifetimes] = useState(() => lifetimesFor(ownExpiresAt, new Date()));
  const [form, setForm] = useState<NewKey>({
    name: '',
    mode: useMode(),
    scopes: new Set(),
    lifetime: lifetimes[0]?.title ?? '',
  });
  const create = useMutation({
    mutationFn: (request: NonNullable<ReturnType<typeof requestOf>>) => kiln.apiKeys.create(request),
    onSuccess: () => cache.invalidateQueries({ queryKey: keysKeys.list }),
  });
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
          <button type="submit" form={formId} className="button button-primary" disabled={!request || create.isPending}>
            Create
          </button>
        </>
      }
    >
      <form id={formId} className="key-form" onSubmit={submit}>
        <KeyFields form={form} lifetimes={lifetimes} isBounded={ownExpiresAt !== null} onChange={setForm} />
        {create.error && (
          <p className="form-error" role="alert">
            {errorText(create.error).detail}
          </p>
        )}
        {request && <ActionCommands calls={[createCall(request)]} />}
      </form>
    </Dialog>
  );
}
