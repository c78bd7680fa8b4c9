import type { Schemas } from '@kiln/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Dialog } from '../../../ui/dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { providerForms } from '../lib/providers.js';
import { credentialsOf, type Credentials } from '../lib/setup-form.js';
import { connectionKeys, stepsQuery, type Connection } from '../queries.js';
import { CredentialFields } from './credential-fields.js';
import { FormError } from './form-error.js';

interface EditConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
}

/** Changes the name, or replaces the credentials: the stored ones are never shown. */
export function EditConnectionDialog({ connection, onClose }: EditConnectionDialogProps) {
  const { id, provider } = connection;
  const kiln = useKiln();
  const cache = useQueryClient();
  const [formId, nameId] = [useId(), useId()];
  const [name, setName] = useState(connection.name);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const { data: instructions } = useQuery(stepsQuery(kiln, provider));
  const externalId = instructions?.external_id;
  const update = useMutation({
    mutationFn: (body: Schemas['UpdateConnectionRequest']) => kiln.connections.update(id, body),
    gcTime: 0,
    onSuccess: async () => {
      showToast('The connection is changed.');
      onClose();
      await cache.invalidateQueries({ queryKey: connectionKeys.all });
    },
  });
  const given = credentials && credentialsOf(provider, credentials, externalId);
  const isReady = name.trim() !== '' && (credentials === null || given !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !update.isPending) update.mutate({ name: name.trim(), ...(given && { credentials: given }) });
  };
  return (
    <Dialog
      title="Edit the connection"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button button-primary" disabled={!isReady || update.isPending}>
            Save
          </button>
        </>
      }
    >
      <form id={formId} className="connection-form" onSubmit={submit} autoComplete="off">
        <div className="field">
          <label htmlFor={nameId}>Name</label>
          <input id={nameId} value={name} onChange={({ target }) => setName(target.value)} />
        </div>
        <label className="connection-choice">
          <input
            type="checkbox"
            checked={credentials !== null}
            onChange={() => setCredentials(credentials ? null : { kind: providerForms[provider].kinds[0], values: {} })}
          />
          Replace the credentials
        </label>
        {credentials && (
          <>
            <p className="muted">
              Kiln lists the bucket with the new ones first, and keeps the old ones if that fails.
            </p>
            <CredentialFields
              provider={provider}
              credentials={credentials}
              externalId={externalId}
              onChange={setCredentials}
            />
          </>
        )}
        <FormError error={update.error} />
      </form>
    </Dialog>
  );
}
