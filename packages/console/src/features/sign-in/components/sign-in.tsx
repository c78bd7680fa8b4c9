import { useMutation, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';
import { createQueryClient } from '../../../api/query-client.js';
import { beginSession, type EndReason } from '../../../api/session.js';
import { hasCodeInAddress, isRefusal, signInByCode, signInByKey, takeCodeFromAddress } from '../../../api/sign-in.js';
import { Button } from '../../../ui/button.js';
import { SignInFailure } from './sign-in-failure.js';

/** Read once, before anything is rendered: an effect runs twice in development, and a code works once. */
const code = takeCodeFromAddress();
let isExchanged = false;
const exchange = code === null ? null : exchangeCode(code);
exchange?.catch(() => undefined);
// The link was opened in a tab that shows the console already: browsers load no page for another fragment.
addEventListener('hashchange', () => {
  if (hasCodeInAddress()) location.reload();
});

/** The tab may still have a session. Its key may have expired, which is why there is a new link. */
async function exchangeCode(text: string): Promise<void> {
  const session = await signInByCode(text);
  isExchanged = true;
  beginSession(session);
}

const endings: Readonly<Record<EndReason, string>> = {
  'signed-out': 'You are signed out.',
  refused: 'The key is no longer valid: it has expired or was revoked. Sign in again to continue where you were.',
};

export function SignIn({ ended }: { ended: EndReason | null }) {
  const [queryClient] = useState(() => createQueryClient(null));
  return (
    <QueryClientProvider client={queryClient}>
      <main className="sign-in">
        <div className="sign-in-card">
          <img src="/console/kiln.svg" alt="" width="32" height="32" />
          <h1>Sign in to Kiln</h1>
          {ended && <p className="sign-in-note">{endings[ended]}</p>}
          <SignInForm mayUseCode={ended !== 'signed-out'} />
        </div>
      </main>
    </QueryClientProvider>
  );
}

function SignInForm({ mayUseCode }: { mayUseCode: boolean }) {
  const [isExchanging, setExchanging] = useState(mayUseCode && exchange !== null && !isExchanged);
  const [codeError, setCodeError] = useState<unknown>(null);
  const [text, setText] = useState('');
  const byKey = useMutation({ mutationFn: signInByKey, onSuccess: beginSession });
  useEffect(() => {
    if (!isExchanging) return;
    exchange?.catch((error: unknown) => {
      setCodeError(error);
      setExchanging(false);
    });
  }, [isExchanging]);
  if (isExchanging) return <p role="status">Signing in…</p>;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setCodeError(null);
    byKey.mutate(text);
  };
  const error = byKey.error ?? codeError;
  return (
    <form onSubmit={submit} noValidate>
      {error !== null && <SignInFailure error={error} isCode={byKey.error === null && isRefusal(codeError)} />}
      <label htmlFor="api-key">API key</label>
      <input
        id="api-key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="kiln_live_…"
        value={text}
        autoFocus
        aria-describedby="api-key-note"
        aria-invalid={byKey.isError}
        onChange={(event) => setText(event.target.value)}
      />
      <p id="api-key-note" className="muted">
        Stays in this tab until you close it. <code>npm start</code> prints a link that signs in without a key, and{' '}
        <code>npm run kiln -- sign-in create</code> makes another code.
      </p>
      <Button type="submit" kind="primary" disabled={byKey.isPending || text === ''}>
        {byKey.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
