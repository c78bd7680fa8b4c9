import type { Schemas } from '@kiln/sdk';
import { CopyButton } from '../../../ui/copy-button.js';
import { Dialog } from '../../../ui/dialog.js';

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
      <p className="secret">
        <code>{created.key}</code>
        <CopyButton text={created.key} label="Copy the key" />
      </p>
    </Dialog>
  );
}
