import { WebhooksView } from '../features/webhooks/components/webhooks-view.js';

export function WebhooksPage() {
  return (
    <>
      <title>Webhooks – Kiln</title>
      <WebhooksView />
    </>
  );
}
