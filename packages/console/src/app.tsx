// Shows the page of the address, or the sign-in while there is no session. After the sign-in, the address is the same.
import { RouterProvider } from '@tanstack/react-router';
import { KilnProvider } from './api/kiln-context.js';
import { useSession } from './api/session.js';
import { SignIn } from './features/sign-in/components/sign-in.js';
import { router } from './router.js';
import { ErrorBoundary } from './ui/error-boundary.js';
import { Toasts } from './ui/toasts.js';

export function App() {
  const { session, ended } = useSession();
  return (
    <ErrorBoundary>
      {session ? (
        <KilnProvider key={session.apiKey} session={session}>
          <RouterProvider router={router} />
        </KilnProvider>
      ) : (
        <SignIn ended={ended} />
      )}
      <Toasts />
    </ErrorBoundary>
  );
}
