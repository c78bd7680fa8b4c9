import { useState } from 'react';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { localTimeOf } from '../../../ui/formats.js';
import type { useWebhookActions } from '../hooks/use-webhook-actions.js';
import { windowOf } from '../lib/replay-window.js';
import { replayCall } from '../lib/webhook-calls.js';

interface ReplayDialogProps {
  webhookId: string;
  replay: ReturnType<typeof useWebhookActions>['replay'];
  onClose: () => void;
}

const HOUR_MS = 3_600_000;

export function ReplayDialog({ webhookId, replay, onClose }: ReplayDialogProps) {
  const [since, setSince] = useState(() => localTimeOf(new Date(Date.now() - HOUR_MS)));
  const [until, setUntil] = useState('');
  const window = windowOf(since, until);
  return (
    <FormDialog
      title="Replay events"
      submitTitle="Replay"
      isReady={window !== null && !replay.isPending}
      error={replay.error}
      call={window && replayCall(webhookId, window)}
      onSubmit={() => window && replay.mutate(window, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="muted">
        Sends all events of the window again, with the same ids, also those that were delivered. Events are kept for 30
        days.
      </p>
      <TextField title="Since (local time)" type="datetime-local" value={since} onChange={setSince} />
      <TextField title="Until (empty: now)" type="datetime-local" value={until} onChange={setUntil} />
    </FormDialog>
  );
}
