import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import { showToast } from '../../../ui/toasts.js';
import { useAction } from '../../../ui/use-action.js';
import { connectionKeys, type Connection } from '../queries.js';
import { DeleteConnectionDialog } from './delete-connection-dialog.js';
import { EditConnectionDialog } from './edit-connection-dialog.js';
import { ProcessDialog } from './process-dialog.js';

interface ConnectionActionsProps {
  connection: Connection;
  onDeleted: () => void;
}

export function ConnectionActions({ connection, onDeleted }: ConnectionActionsProps) {
  const mayWrite = useMay('connections:write');
  const mayProcess = useMay('files:write');
  const [dialog, setDialog] = useState<'process' | 'edit' | 'delete' | null>(null);
  const test = useAction({
    run: (kiln) => kiln.connections.test(connection.id),
    onDone: ({ success, error }) => {
      if (success) showToast('The bucket can be listed and read.');
      else showToast(error?.message ?? 'The bucket cannot be read.', 'failed');
    },
    refresh: connectionKeys.all,
    isFailureShown: true,
  });
  const close = () => setDialog(null);
  return (
    <div className="actions">
      {mayProcess && (
        <Button icon="play" onClick={() => setDialog('process')}>
          Process files
        </Button>
      )}
      {mayWrite && (
        <>
          <Button icon="check" disabled={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
          <Button icon="edit" onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <Button icon="trash" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </>
      )}
      {dialog === 'process' && <ProcessDialog connectionId={connection.id} onClose={close} />}
      {dialog === 'edit' && <EditConnectionDialog connection={connection} onClose={close} />}
      {dialog === 'delete' && <DeleteConnectionDialog connection={connection} onClose={close} onDeleted={onDeleted} />}
    </div>
  );
}
