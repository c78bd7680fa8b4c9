// The list of webhooks, and their creation. The other actions on a webhook are on its page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Button } from '../../../ui/button.js';
import { ListCard } from '../../../ui/list-card.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import { listCalls } from '../lib/webhook-calls.js';
import { webhooksQuery } from '../queries.js';
import '../webhooks.css';
import { CreateWebhookDialog } from './create-webhook-dialog.js';
import { WebhooksTable } from './webhooks-table.js';

export function WebhooksView() {
  const list = useInfiniteQuery(webhooksQuery(useKiln()));
  const mayWrite = useMay('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const webhooks = list.data?.pages.flatMap((page) => page.webhooks) ?? [];
  return (
    <>
      <PageHead title="Webhooks">
        {mayWrite && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create a webhook
          </Button>
        )}
      </PageHead>
      <ListCard
        label="Webhooks"
        list={list}
        table={webhooks.length > 0 ? <WebhooksTable webhooks={webhooks} /> : null}
        empty={
          <Notice icon="webhook" title="No webhooks yet">
            {mayWrite
              ? 'Kiln sends signed events to a URL of yours, for example when a file is processed.'
              : 'This key may not create webhooks: it lacks the scope webhooks:write.'}
          </Notice>
        }
      />
      <div className="page-commands">
        <ActionCommands calls={listCalls} />
      </div>
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </>
  );
}
