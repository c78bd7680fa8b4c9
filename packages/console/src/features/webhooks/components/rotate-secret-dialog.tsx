import { useState } from 'react';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { SelectField } from '../../../ui/field.js';
import { useAction } from '../../../ui/use-action.js';
import { SigningSecretDialog } from './create-webhook-dialog.js';

const graces = [
  ['86400', '1 day'],
  ['3600', '1 hour'],
  ['604800', '7 days'],
  ['0', 'Not at all'],
] as const;

type Seconds = (typeof graces)[number][0];

/** After the rotation it shows the new secret, once. */
export function RotateSecretDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const [grace, setGrace] = useState<Seconds>('86400');
  const rotate = useAction({
    run: (kiln) => kiln.webhooks.rotateSecret(webhookId, { grace_period_seconds: Number(grace) }),
  });
  if (rotate.data) return <SigningSecretDialog secret={rotate.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog title="Rotate the secret?" confirmTitle="Rotate" action={rotate} onClose={onClose}>
      <p>Kiln makes a new secret. Until the old one expires, deliveries are signed with both.</p>
      <SelectField title="The old secret stays valid for" options={graces} value={grace} onChange={setGrace} />
    </ConfirmDialog>
  );
}
