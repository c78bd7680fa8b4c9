import type { Schemas } from '@kiln/sdk';
import { Dialog } from '../../../ui/dialog.js';
import { Secret } from '../../../ui/secret.js';

interface SecretDialogProps {
  created: Schemas['CreatedApiKey'];
  onClose: () => void;
}

export function SecretDialog({ created, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={`The key ${created.name}`}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <p>Copy the key now. It is not shown again.</p>
      <Secret value={created.key} label="Copy the key" />
    </Dialog>
  );
}
