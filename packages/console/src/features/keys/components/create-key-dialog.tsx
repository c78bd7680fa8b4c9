import type { Schemas } from '@kiln/sdk';
import { useState } from 'react';
import { useMode } from '../../../api/me.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { SecretDialog } from '../../../ui/secret-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { createCall } from '../lib/key-calls.js';
import { lifetimesFor, requestOf, type NewKey } from '../lib/new-key.js';
import { apiKeysKey } from '../queries.js';
import { KeyFields } from './key-fields.js';

interface CreateKeyDialogProps {
  /** When the key of this session expires; null if it does not. */
  ownExpiresAt: string | null;
  onClose: () => void;
}

/** After the creation it shows the secret, once. */
export function CreateKeyDialog({ ownExpiresAt, onClose }: CreateKeyDialogProps) {
  const [lifetimes] = useState(() => lifetimesFor(ownExpiresAt, new Date()));
  const [form, setForm] = useState<NewKey>({
    name: '',
    mode: useMode(),
    scopes: new Set(),
    lifetime: lifetimes[0]?.title ?? '',
  });
  const { data: created, ...create } = useAction({
    run: (kiln, request: Schemas['CreateApiKeyRequest']) => kiln.apiKeys.create(request),
    refresh: apiKeysKey,
  });
  const request = requestOf(form, lifetimes);
  if (created) {
    return (
      <SecretDialog
        title={`The key ${created.name}`}
        text="Copy the key now. It is not shown again."
        value={created.key}
        copyTitle="Copy the key"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Create an API key"
      submitTitle="Create"
      isReady={request !== null && !create.isPending}
      error={create.error}
      call={request && createCall(request)}
      onSubmit={() => request && create.mutate(request)}
      onClose={onClose}
    >
      <KeyFields form={form} lifetimes={lifetimes} isBounded={ownExpiresAt !== null} onChange={setForm} />
    </FormDialog>
  );
}
