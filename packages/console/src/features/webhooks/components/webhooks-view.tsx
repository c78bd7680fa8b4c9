// Webhooks: list and create. What else can be done with one is on its page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { useKiln } from '../../../api/kiln-context.js';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import { listCalls } from '../lib/webhook-calls.js';
import { webhooksQuery } from '../queries.js';
import '../webhooks.css';
import { CreateWebhookDialog } from './create-webhook-dialog.js';
import { WebhooksTable } from './webhooks-table.js';

export function WebhooksView() {
  const { data, error, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    webhooksQuery(useKiln()),
  );
  const mayWrite = useMay('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const webhooks = data?.pages.flatMap((page) => page.webhooks) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Webhooks</h1>
        {mayWrite && (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            Create a webhook
          </button>
        )}
      </div>
      <section className="card" aria-label="Webhooks" data-stale={isError && webhooks.length > 0}>
        {webhooks.length > 0 ? (
          <WebhooksTable webhooks={webhooks} />
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <Notice icon="webhook" title="No webhooks yet">
            {mayWrite
              ? 'Kiln sends signed events to a URL of yours, for example when a file is processed.'
              : 'This key may not create webhooks: it lacks the scope webhooks:write.'}
          </Notice>
        ) : (
          <SkeletonRows rows={6} label="Loading the webhooks" />
        )}
      </section>
      {hasNextPage && (
        <p className="webhooks-more">
          <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Icon name="arrowDown" /> Show more
          </button>
        </p>
      )}
      <div className="page-commands">
        <ActionCommands calls={listCalls} />
      </div>
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </>
  );
}
