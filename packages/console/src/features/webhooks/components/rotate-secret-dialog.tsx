import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { SigningSecretDialog } from './signing-secret-dialog.js';

const graces: readonly [seconds: number, title: string][] = [
  [86_400, '1 day'],
  [3_600, '1 hour'],
  [604_800, '7 days'],
  [0, 'Not at all'],
];

/** After the rotation it shows the new secret, once. */
export function RotateSecretDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const kiln = useKiln();
  const graceId = useId();
  const [grace, setGrace] = useState(86_400);
  const rotate = useMutation({
    mutationFn: () => kiln.webhooks.rotateSecret(webhookId, { grace_period_seconds: grace }),
    gcTime: 0,
  });
  if (rotate.data) return <SigningSecretDialog secret={rotate.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      confirmTitle="Rotate"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>Kiln makes a new secret. Until the old one expires, deliveries are signed with both.</p>
      <div className="webhook-form">
        <label htmlFor={graceId}>The old secret stays valid for</label>
        <select id={graceId} value={grace} onChange={({ target }) => setGrace(Number(target.value))}>
          {graces.map(([seconds, title]) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  );
}
