import type { Schemas } from '@kiln/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { useConnection } from '../../../api/kiln-context.js';
import { Dialog } from '../../../ui/dialog.js';
import { showToast } from '../../../ui/toasts.js';
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
    <Dialog
      title={`Revoke ${apiKey.name}?`}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Keep
          </button>
          <button
            type="button"
            className="button button-danger"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            Revoke
          </button>
        </>
      }
    >
      <p className="muted">
        {isOwn
          ? 'This page uses the key: you will be signed out at once.'
          : `Programs that use ${apiKey.prefix}… are refused at once. This cannot be undone.`}
      </p>
      {revoke.error && (
        <p className="form-error" role="alert">
          {errorText(revoke.error).detail}
        </p>
      )}
    </Dialog>
  );
}
