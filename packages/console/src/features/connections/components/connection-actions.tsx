import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { showToast } from '../../../ui/toasts.js';
import { connectionKeys, type Connection } from '../queries.js';
import { DeleteConnectionDialog } from './delete-connection-dialog.js';
import { EditConnectionDialog } from './edit-connection-dialog.js';
import { ProcessDialog } from './process-dialog.js';

interface ConnectionActionsProps {
  connection: Connection;
  onDeleted: () => void;
}

export function ConnectionActions({ connection, onDeleted }: ConnectionActionsProps) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const mayWrite = useMay('connections:write');
  const mayProcess = useMay('files:write');
  const [dialog, setDialog] = useState<'process' | 'edit' | 'delete' | null>(null);
  const test = useMutation({
    mutationFn: () => kiln.connections.test(connection.id),
    onSuccess: async ({ success, error }) => {
      if (success) showToast('The bucket can be listed and read.');
      else showToast(error?.message ?? 'The bucket cannot be read.', 'failed');
      await cache.invalidateQueries({ queryKey: connectionKeys.all });
    },
    onError: (error) => showToast(errorText(error).detail, 'failed'),
  });
  const close = () => setDialog(null);
  return (
    <div className="connection-actions">
      {mayProcess && (
        <button type="button" className="button" onClick={() => setDialog('process')}>
          <Icon name="play" /> Process files
        </button>
      )}
      {mayWrite && (
        <>
          <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
            <Icon name="check" /> Test
          </button>
          <button type="button" className="button" onClick={() => setDialog('edit')}>
            <Icon name="edit" /> Edit
          </button>
          <button type="button" className="button" onClick={() => setDialog('delete')}>
            <Icon name="trash" /> Delete
          </button>
        </>
      )}
      {dialog === 'process' && <ProcessDialog connectionId={connection.id} onClose={close} />}
      {dialog === 'edit' && <EditConnectionDialog connection={connection} onClose={close} />}
      {dialog === 'delete' && <DeleteConnectionDialog connection={connection} onClose={close} onDeleted={onDeleted} />}
    </div>
  );
}
