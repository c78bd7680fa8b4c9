import { ConnectionsView } from '../features/connections/components/connections-view.js';

export function ConnectionsPage() {
  return (
    <>
      <title>Connections – Kiln</title>
      <ConnectionsView />
    </>
  );
}
