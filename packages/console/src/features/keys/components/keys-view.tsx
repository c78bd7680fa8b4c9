// API keys: list, create, revoke.
import type { Schemas } from '@kiln/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { useConnection } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import { listCalls } from '../lib/key-calls.js';
import { keysQuery } from '../queries.js';
import '../keys.css';
import { CreateKeyDialog } from './create-key-dialog.js';
import { KeysTable } from './keys-table.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';

type ApiKey = Schemas['ApiKey'];

export function KeysView() {
  const { kiln, session } = useConnection();
  const { data, error, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    keysQuery(kiln),
  );
  const mayWrite = useMay('keys:write');
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const keys = data?.pages.flatMap((page) => page.api_keys) ?? [];
  const own = keys.find(({ prefix }) => session.apiKey.startsWith(prefix));
  return (
    <>
      <div className="page-head">
        <h1>API keys</h1>
        {mayWrite && (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            Create a key
          </button>
        )}
      </div>
      <section className="card" aria-label="API keys" data-stale={isError && keys.length > 0}>
        {keys.length > 0 ? (
          <KeysTable keys={keys} onRevoke={mayWrite ? setRevoked : null} />
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <Notice icon="key" title="No keys yet">
            Programs and people sign in with API keys.
          </Notice>
        ) : (
          <SkeletonRows rows={6} label="Loading the keys" />
        )}
      </section>
      {hasNextPage && (
        <p>
          <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Icon name="arrowDown" /> Show more
          </button>
        </p>
      )}
      <div className="page-commands">
        <ActionCommands calls={listCalls} />
      </div>
      {isCreating && <CreateKeyDialog ownExpiresAt={own?.expires_at ?? null} onClose={() => setCreating(false)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
