import { KeysView } from '../features/keys/components/keys-view.js';

export function KeysPage() {
  return (
    <>
      <title>API keys – Kiln</title>
      <KeysView />
    </>
  );
}
