import { useNavigate, useSearch } from '@tanstack/react-router';
import { AnalyticsView } from '../features/analytics/components/analytics-view.js';

/** The range is in the address, so that it can be shared and gone back to. */
export function AnalyticsPage() {
  const address = useSearch({ from: '/analytics' });
  const navigate = useNavigate();
  return (
    <AnalyticsView
      address={address}
      onAddress={(search) => void navigate({ to: '/analytics', search, replace: true })}
    />
  );
}
