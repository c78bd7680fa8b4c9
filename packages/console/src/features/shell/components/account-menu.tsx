import { useMutation } from '@tanstack/react-query';
import { useConnection } from '../../../api/kiln-context.js';
import { useMe } from '../../../api/me.js';
import { endSession } from '../../../api/session.js';
import { signOut } from '../../../api/sign-in.js';
import { IconButton } from '../../../ui/button.js';

export function AccountMenu() {
  const { session } = useConnection();
  const { data: me } = useMe();
  const ending = useMutation({
    mutationFn: () => signOut(session),
    onSettled: () => endSession('signed-out', session),
  });
  return (
    <div className="account">
      <div className="account-name" title={me?.org_id}>
        <strong>{me?.key_name ?? '…'}</strong>
        <span>{me ? scopesText(me.scopes) : ' '}</span>
      </div>
      <IconButton icon="signOut" label="Sign out" title="Sign out" onClick={() => ending.mutate()} />
    </div>
  );
}

function scopesText(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'All scopes';
  return scopes.length === 1 ? (scopes[0] ?? '') : `${scopes.length} scopes`;
}
