import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { plural } from '../../../ui/formats.js';
import { showToast } from '../../../ui/toasts.js';
import type { ReplayWindow } from '../lib/replay-window.js';
import { webhookKeys, type Delivery } from '../queries.js';

/** Sends a test event, resends an event, or replays a window. `onSent` is called with each new delivery. */
export function useWebhookActions(id: string, onSent: (delivery: Delivery) => void) {
  const kiln = useKiln();
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: webhookKeys.one(id) });
  const onError = (error: unknown) => showToast(errorText(error).detail, 'failed');
  const sent = (text: string) => async (delivery: Delivery) => {
    showToast(text);
    onSent(delivery);
    await refresh();
  };
  const test = useMutation({
    mutationFn: () => kiln.webhooks.test(id),
    onSuccess: sent('A test event is on its way.'),
    onError,
  });
  const resend = useMutation({
    mutationFn: (deliveryId: string) => kiln.webhooks.resendDelivery(id, deliveryId),
    onSuccess: sent('The event is on its way again.'),
    onError,
  });
  const replay = useMutation({
    mutationFn: (window: ReplayWindow) => kiln.webhooks.replay(id, window),
    onSuccess: async ({ replayed }) => {
      showToast(`${plural(replayed, 'event')} on the way again.`);
      await refresh();
    },
  });
  return { test, resend, replay };
}
