import { useNavigate, useSearch } from '@tanstack/react-router';
import { SetupView } from '../features/connections/components/setup-view.js';

/** The provider is in the address. What is typed is not: it contains credentials. */
export function ConnectionSetupPage() {
  const { provider } = useSearch({ from: '/connections/new' });
  const navigate = useNavigate();
  return (
    <SetupView
      provider={provider}
      onConnected={({ id }) =>
        void navigate({ to: '/connections/$connectionId', params: { connectionId: id }, replace: true })
      }
    />
  );
}
