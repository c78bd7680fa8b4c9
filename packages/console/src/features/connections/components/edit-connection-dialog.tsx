import type { Schemas } from '@kiln/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { Dialog } from '../../../ui/dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { changesOf, formOf } from '../lib/connection-changes.js';
import { connectionKeys, stepsQuery, type Connection } from '../queries.js';
import { ChangesFields } from './changes-fields.js';
import { FormError } from '../../../ui/form-error.js';

interface EditConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
}

export function EditConnectionDialog({ connection, onClose }: EditConnectionDialogProps) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const formId = useId();
  // As it was when the dialog was opened: what others change meanwhile is kept.
  const [before] = useState(connection);
  const [form, setForm] = useState(() => formOf(before));
  const { data: instructions } = useQuery(stepsQuery(kiln, before.provider));
  const externalId = instructions?.external_id;
  const update = useMutation({
    mutationFn: (body: Schemas['UpdateConnectionRequest']) => kiln.connections.update(before.id, body),
    gcTime: 0,
    onSuccess: async () => {
      showToast('The connection is changed.');
      onClose();
      await cache.invalidateQueries({ queryKey: connectionKeys.all });
    },
  });
  const changes = changesOf(before, form, externalId);
  const isReady = changes !== null && Object.keys(changes).length > 0 && !update.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) update.mutate(changes);
  };
  return (
    <Dialog
      title="Edit the connection"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button button-primary" disabled={!isReady}>
            Save
          </button>
        </>
      }
    >
      <form id={formId} className="connection-form" onSubmit={submit} autoComplete="off">
        <ChangesFields provider={before.provider} form={form} externalId={externalId} onChange={setForm} />
        <FormError error={update.error} />
      </form>
    </Dialog>
  );
}
