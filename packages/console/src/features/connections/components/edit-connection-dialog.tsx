import type { Schemas } from '@kiln/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { changesOf, formOf } from '../lib/connection-changes.js';
import { connectionKeys, stepsQuery, type Connection } from '../queries.js';
import { ChangesFields } from './changes-fields.js';

interface EditConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
}

export function EditConnectionDialog({ connection, onClose }: EditConnectionDialogProps) {
  // As it was when the dialog was opened: what others change meanwhile is kept.
  const [before] = useState(connection);
  const [form, setForm] = useState(() => formOf(before));
  const { data: instructions } = useQuery(stepsQuery(useKiln(), before.provider));
  const externalId = instructions?.external_id;
  const update = useAction({
    run: (kiln, body: Schemas['UpdateConnectionRequest']) => kiln.connections.update(before.id, body),
    done: 'The connection is changed.',
    onDone: onClose,
    refresh: connectionKeys.all,
  });
  const changes = changesOf(before, form, externalId);
  return (
    <FormDialog
      title="Edit the connection"
      submitTitle="Save"
      isReady={changes !== null && Object.keys(changes).length > 0 && !update.isPending}
      error={update.error}
      onSubmit={() => changes && update.mutate(changes)}
      onClose={onClose}
    >
      <ChangesFields provider={before.provider} form={form} externalId={externalId} onChange={setForm} />
    </FormDialog>
  );
}
