import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { providerNames, type KeyedProvider } from '../lib/provider-names.js';
import { settingsKeys } from '../queries.js';

export function DeleteProviderKeyDialog({ provider, onClose }: { provider: KeyedProvider; onClose: () => void }) {
  const remove = useAction({
    run: (kiln) => kiln.providerKeys.delete(provider),
    done: 'The key is deleted.',
    onDone: onClose,
    refresh: settingsKeys.providerKeys,
  });
  return (
    <ConfirmDialog
      title={`Delete the key for ${providerNames[provider]}?`}
      confirmTitle="Delete"
      action={remove}
      onClose={onClose}
    >
      <p>Attempts that start from now on use the key of the operator, if there is one.</p>
    </ConfirmDialog>
  );
}
