import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { connectionKeys, type Connection } from '../queries.js';

interface DeleteConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteConnectionDialog({ connection, onClose, onDeleted }: DeleteConnectionDialogProps) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => kiln.connections.delete(connection.id),
    onSuccess: async () => {
      showToast('The connection is deleted.');
      onDeleted();
      await cache.invalidateQueries({ queryKey: connectionKeys.list });
    },
  });
  return (
    <ConfirmDialog
      title="Delete the connection?"
      confirmTitle="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        The credentials of {connection.name} and the list of its objects are deleted. Files that were made from it stay,
        but their bytes can no longer be read. Nothing in the bucket changes.
      </p>
    </ConfirmDialog>
  );
}
