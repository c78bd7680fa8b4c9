import type { Schemas } from '@kiln/sdk';
import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { fieldErrors } from '../lib/field-errors.js';
import { keyedProviders, mayHaveUrl, type KeyedProvider } from '../lib/provider-names.js';
import { settingsKeys } from '../queries.js';
import { ProviderKeyFields } from './provider-key-fields.js';

interface ProviderKeyDialogProps {
  /** They have a key already. */
  taken: readonly KeyedProvider[];
  /** Null to add a key. */
  replaced: KeyedProvider | null;
  onClose: () => void;
}

/** The key is in this dialog only, and in the request. */
export function ProviderKeyDialog({ taken, replaced, onClose }: ProviderKeyDialogProps) {
  const providers = replaced ? [replaced] : keyedProviders.filter((provider) => !taken.includes(provider));
  const [form, setForm] = useState({ provider: providers[0] ?? 'document_extractor', key: '', url: '' });
  const set = useAction({
    run: (kiln, body: Schemas['SetProviderKeyRequest']) => kiln.providerKeys.set(body),
    done: 'The key is saved.',
    onDone: onClose,
    refresh: settingsKeys.providerKeys,
  });
  const errors = fieldErrors(set.error, ['provider', 'key', 'url']);
  const save = () => {
    const { provider, key } = form;
    const url = form.url.trim();
    set.mutate({ provider, key: key.trim(), ...(mayHaveUrl(provider) && url !== '' && { url }) });
  };
  return (
    <FormDialog
      title={replaced ? 'Replace the key' : 'Add a provider key'}
      submitTitle="Save"
      isReady={form.key !== '' && !set.isPending}
      error={errors.isComplete ? null : set.error}
      onSubmit={save}
      onClose={onClose}
    >
      {providers.length === 0 ? (
        <p>Each provider has a key. Replace one in the list.</p>
      ) : (
        <ProviderKeyFields form={form} providers={providers} errors={errors} onChange={setForm} />
      )}
    </FormDialog>
  );
}
