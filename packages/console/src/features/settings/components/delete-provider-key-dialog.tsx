import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { providerNames, type KeyedProvider } from '../lib/provider-names.js';
import { settingsKeys } from '../queries.js';

export function DeleteProviderKeyDialog({ provider, onClose }: { provider: KeyedProvider; onClose: () => void }) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => kiln.providerKeys.delete(provider),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: settingsKeys.providerKeys });
      showToast('The key is deleted.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete the key for ${providerNames[provider]}?`}
      confirmTitle="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Attempts that start from now on use the key of the operator, if there is one.</p>
    </ConfirmDialog>
  );
}
