import { Dialog } from '../../../ui/dialog.js';
import { Secret } from '../../../ui/secret.js';

export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title="The signing secret"
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <p>Copy the secret now. It is not shown again. Receivers verify with it that a request is from Kiln.</p>
      <Secret value={secret} label="Copy the secret" />
    </Dialog>
  );
}
