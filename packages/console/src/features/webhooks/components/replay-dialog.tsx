import { useId, useState } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { errorText } from '../../../api/error-text.js';
import { Dialog } from '../../../ui/dialog.js';
import { localInput, windowOf } from '../lib/replay-window.js';
import { replayCall } from '../lib/webhook-calls.js';
import type { useWebhookActions } from '../hooks/use-webhook-actions.js';

interface ReplayDialogProps {
  webhookId: string;
  replay: ReturnType<typeof useWebhookActions>['replay'];
  onClose: () => void;
}

const HOUR_MS = 3_600_000;

export function ReplayDialog({ webhookId, replay, onClose }: ReplayDialogProps) {
  const [sinceId, untilId] = [useId(), useId()];
  const [since, setSince] = useState(() => localInput(new Date(Date.now() - HOUR_MS)));
  const [until, setUntil] = useState('');
  const window = windowOf(since, until);
  return (
    <Dialog
      title="Replay events"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={!window || replay.isPending}
            onClick={() => window && replay.mutate(window, { onSuccess: onClose })}
          >
            Replay
          </button>
        </>
      }
    >
      <p className="muted">
        Sends all events of the window again, with the same ids, also those that were delivered. Events are kept for 30
        days.
      </p>
      <div className="webhook-form">
        <label htmlFor={sinceId}>Since (local time)</label>
        <input id={sinceId} type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
        <label htmlFor={untilId}>Until (empty: now)</label>
        <input id={untilId} type="datetime-local" value={until} onChange={({ target }) => setUntil(target.value)} />
        {replay.error && (
          <p className="form-error" role="alert">
            {errorText(replay.error).detail}
          </p>
        )}
        {window && <ActionCommands calls={[replayCall(webhookId, window)]} />}
      </div>
    </Dialog>
  );
}
