import type { Schemas } from '@kiln/sdk';
import { useConnection } from '../../../api/kiln-context.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { revokeCall } from '../lib/key-calls.js';
import { apiKeysKey } from '../queries.js';

interface RevokeKeyDialogProps {
  apiKey: Schemas['ApiKey'];
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey: { id, name, prefix }, onClose }: RevokeKeyDialogProps) {
  const isOwn = useConnection().session.apiKey.startsWith(prefix);
  const revoke = useAction({
    run: (kiln) => kiln.apiKeys.delete(id),
    done: `${name} is revoked.`,
    onDone: onClose,
    refresh: apiKeysKey,
  });
  return (
    <ConfirmDialog title={`Revoke ${name}?`} confirmTitle="Revoke" action={revoke} onClose={onClose}>
      <p>
        {isOwn
          ? 'This page uses the key: you will be signed out at once.'
          : `Programs that use ${prefix}… are refused at once. This cannot be undone.`}
      </p>
      <ActionCommands calls={[revokeCall(id)]} />
    </ConfirmDialog>
  );
}
