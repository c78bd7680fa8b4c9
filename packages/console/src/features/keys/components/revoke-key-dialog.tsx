import type { Schemas } from '@kiln/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ActionCommands } from '../../../ui/action-commands.js';
import { useConnection } from '../../../api/kiln-context.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { revokeCall } from '../lib/key-calls.js';
import { keysKeys } from '../queries.js';

interface RevokeKeyDialogProps {
  apiKey: Schemas['ApiKey'];
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { kiln, session } = useConnection();
  const cache = useQueryClient();
  const isOwn = session.apiKey.startsWith(apiKey.prefix);
  const revoke = useMutation({
    mutationFn: () => kiln.apiKeys.delete(apiKey.id),
    onSuccess: async () => {
      showToast(`${apiKey.name} is revoked.`);
      onClose();
      await cache.invalidateQueries({ queryKey: keysKeys.list });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      confirmTitle="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        {isOwn
          ? 'This page uses the key: you will be signed out at once.'
          : `Programs that use ${apiKey.prefix}… are refused at once. This cannot be undone.`}
      </p>
      <ActionCommands calls={[revokeCall(apiKey.id)]} />
    </ConfirmDialog>
  );
}
