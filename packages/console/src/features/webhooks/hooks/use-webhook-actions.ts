import { plural } from '../../../ui/formats.js';
import { useAction } from '../../../ui/use-action.js';
import type { ReplayWindow } from '../lib/replay-window.js';
import { webhookKeys, type Delivery } from '../queries.js';

/** Sends a test event, resends an event, or replays a window. `onSent` is called with each new delivery. */
export function useWebhookActions(id: string, onSent: (delivery: Delivery) => void) {
  const sending = { onDone: onSent, refresh: webhookKeys.one(id), isFailureShown: true };
  const test = useAction({
    run: (kiln) => kiln.webhooks.test(id),
    done: 'A test event is on its way.',
    ...sending,
  });
  const resend = useAction({
    run: (kiln, deliveryId: string) => kiln.webhooks.resendDelivery(id, deliveryId),
    done: 'The event is on its way again.',
    ...sending,
  });
  const replay = useAction({
    run: (kiln, window: ReplayWindow) => kiln.webhooks.replay(id, window),
    done: ({ replayed }) => `${plural(replayed, 'event')} on the way again.`,
    refresh: webhookKeys.one(id),
  });
  return { test, resend, replay };
}
