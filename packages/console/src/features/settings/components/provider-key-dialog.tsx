import type { Schemas } from '@kiln/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Dialog } from '../../../ui/dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { fieldErrors } from '../lib/field-errors.js';
import { keyedProviders, mayHaveUrl, type KeyedProvider } from '../lib/provider-names.js';
import { settingsKeys } from '../queries.js';
import { FormError } from '../../../ui/form-error.js';
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
  const kiln = useKiln();
  const cache = useQueryClient();
  const formId = useId();
  const providers = replaced ? [replaced] : keyedProviders.filter((provider) => !taken.includes(provider));
  const [form, setForm] = useState({ provider: providers[0] ?? 'document_extractor', key: '', url: '' });
  const set = useMutation({
    mutationFn: (body: Schemas['SetProviderKeyRequest']) => kiln.providerKeys.set(body),
    gcTime: 0,
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: settingsKeys.providerKeys });
      showToast('The key is saved.');
      onClose();
    },
  });
  const errors = fieldErrors(set.error, ['provider', 'key', 'url']);
  const isReady = form.key !== '' && !set.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { provider, key } = form;
    const url = form.url.trim();
    if (isReady) set.mutate({ provider, key: key.trim(), ...(mayHaveUrl(provider) && url !== '' && { url }) });
  };
  return (
    <Dialog
      title={replaced ? 'Replace the key' : 'Add a provider key'}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button button-primary" disabled={!isReady}>
            Save
          </button>
        </>
      }
    >
      <form id={formId} className="settings-dialog-form" onSubmit={submit} noValidate autoComplete="off">
        {providers.length === 0 ? (
          <p>Each provider has a key. Replace one in the list.</p>
        ) : (
          <ProviderKeyFields form={form} providers={providers} errors={errors} onChange={setForm} />
        )}
        {set.error && !errors.isComplete && <FormError error={set.error} />}
      </form>
    </Dialog>
  );
}
