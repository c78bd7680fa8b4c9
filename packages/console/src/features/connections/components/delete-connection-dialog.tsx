import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { connectionKeys, type Connection } from '../queries.js';

interface DeleteConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteConnectionDialog({ connection, onClose, onDeleted }: DeleteConnectionDialogProps) {
  const remove = useAction({
    run: (kiln) => kiln.connections.delete(connection.id),
    done: 'The connection is deleted.',
    onDone: onDeleted,
    refresh: connectionKeys.list,
  });
  return (
    <ConfirmDialog title="Delete the connection?" confirmTitle="Delete" action={remove} onClose={onClose}>
      <p>
        The credentials of {connection.name} and the list of its objects are deleted. Files that were made from it stay,
        but their bytes can no longer be read. Nothing in the bucket changes.
      </p>
    </ConfirmDialog>
  );
}
