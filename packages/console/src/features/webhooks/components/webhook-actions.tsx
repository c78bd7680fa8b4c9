import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import type { useWebhookActions } from '../hooks/use-webhook-actions.js';
import type { Webhook } from '../queries.js';
import { DeleteWebhookDialog } from './delete-webhook-dialog.js';
import { EditWebhookDialog } from './edit-webhook-dialog.js';
import { ReplayDialog } from './replay-dialog.js';
import { RotateSecretDialog } from './rotate-secret-dialog.js';

interface WebhookActionsProps {
  webhook: Webhook;
  actions: ReturnType<typeof useWebhookActions>;
  onDeleted: () => void;
}

const dialogs = [
  { kind: 'edit', title: 'Edit', icon: 'edit' },
  { kind: 'replay', title: 'Replay', icon: 'refresh' },
  { kind: 'rotate', title: 'Rotate secret', icon: 'key' },
  { kind: 'delete', title: 'Delete', icon: 'trash' },
] as const;

export function WebhookActions({ webhook, actions: { test, replay }, onDeleted }: WebhookActionsProps) {
  const mayWrite = useMay('webhooks:write');
  const [dialog, setDialog] = useState<(typeof dialogs)[number]['kind'] | null>(null);
  const close = () => setDialog(null);
  if (!mayWrite) return null;
  return (
    <div className="actions">
      <Button icon="send" disabled={test.isPending} onClick={() => test.mutate()}>
        Send test event
      </Button>
      {dialogs
        // An inactive webhook receives test events only.
        .filter(({ kind }) => kind !== 'replay' || webhook.active)
        .map(({ kind, title, icon }) => (
          <Button icon={icon} key={kind} onClick={() => setDialog(kind)}>
            {title}
          </Button>
        ))}
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog webhookId={webhook.id} replay={replay} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhookId={webhook.id} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} onDeleted={onDeleted} />}
    </div>
  );
}
