import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ConnectionView } from '../features/connections/components/connection-view.js';

/** The part and the prefix are in the address, so that they can be shared and gone back to. */
export function ConnectionPage() {
  const { connectionId } = useParams({ from: '/connections/$connectionId' });
  const address = useSearch({ from: '/connections/$connectionId' });
  const navigate = useNavigate();
  return (
    <>
      <title>Connection – Kiln</title>
      <ConnectionView
        key={connectionId}
        connectionId={connectionId}
        address={address}
        onAddress={(search) =>
          void navigate({ to: '/connections/$connectionId', params: { connectionId }, search, replace: true })
        }
        onDeleted={() => void navigate({ to: '/connections' })}
      />
    </>
  );
}
