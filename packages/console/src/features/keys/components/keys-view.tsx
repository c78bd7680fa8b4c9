// API keys: list, create, revoke.
import type { Schemas } from '@kiln/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConnection } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { ListCard } from '../../../ui/list-card.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import '../keys.css';
import { listCalls } from '../lib/key-calls.js';
import { keysQuery } from '../queries.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { KeysTable } from './keys-table.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';

type ApiKey = Schemas['ApiKey'];

export function KeysView() {
  const { kiln, session } = useConnection();
  const list = useInfiniteQuery(keysQuery(kiln));
  const mayWrite = useMay('keys:write');
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const keys = list.data?.pages.flatMap((page) => page.api_keys) ?? [];
  const own = keys.find(({ prefix }) => session.apiKey.startsWith(prefix));
  return (
    <>
      <PageHead title="API keys">
        {mayWrite && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        )}
      </PageHead>
      <ListCard
        label="API keys"
        list={list}
        table={keys.length > 0 ? <KeysTable keys={keys} onRevoke={mayWrite ? setRevoked : null} /> : null}
        empty={
          <Notice icon="key" title="No keys yet">
            Programs and people sign in with API keys.
          </Notice>
        }
      />
      <div className="page-commands">
        <ActionCommands calls={listCalls} />
      </div>
      {isCreating && <CreateKeyDialog ownExpiresAt={own?.expires_at ?? null} onClose={() => setCreating(false)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
