import { useNavigate, useSearch } from '@tanstack/react-router';
import { LogsView } from '../features/logs/components/logs-view.js';

/** The filters are in the address, so that they can be shared and gone back to. */
export function LogsPage() {
  const address = useSearch({ from: '/logs' });
  const navigate = useNavigate();
  return <LogsView address={address} onAddress={(search) => void navigate({ to: '/logs', search, replace: true })} />;
}
