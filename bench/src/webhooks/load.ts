// Inserts queued deliveries that the worker does not know of yet.
import { encodeId } from '@kiln/contracts';
import { Sealer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

export type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

export interface Item {
  webhookId: string;
  eventId: string;
  deliveryId: string;
  payload: string;
}

const WEBHOOKS = 16;
export const encryptionKey = randomBytes(32).toString('base64');
export const secret = `whsec_${randomBytes(32).toString('base64')}`;
const tenantId = uuidv7();
export const webhookIds = Array.from({ length: WEBHOOKS }, () => uuidv7());

export function newItems(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => {
    const eventId = uuidv7();
    const payload = JSON.stringify({
      id: encodeId('event', eventId),
      type: 'file.processing.completed',
      created_at: new Date().toISOString(),
      org_id: encodeId('organization', tenantId),
      data: {
        file_id: encodeId('file', uuidv7()),
        job_id: encodeId('job', uuidv7()),
        space: 'default',
        filename: 'annual-report.pdf',
        content_type: 'application/pdf',
        provider: 'document_extractor',
        variants: ['markdown', 'metadata', 'searchable-index'],
      },
    });
    return { webhookId: webhookIds[index % WEBHOOKS] ?? '', eventId, deliveryId: uuidv7(), payload };
  });
}

export async function createWebhooks(sql: Sql, url: string): Promise<void> {
  const sealer = new Sealer(encryptionKey);
  for (const id of webhookIds) {
    const sealed = sealer.seal(secret, { tenantId, rowId: id, name: 'secret' });
    await sql(
      `insert into webhooks (tenant_id, id, organization_id, url, events, secret) values ($1, $2, $1, $3, '{*}', $4)`,
      [tenantId, id, url, sealed],
    );
  }
}

export async function enqueue(sql: Sql, items: readonly Item[]): Promise<void> {
  await sql(
    `with item as (
       select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as i (webhook_id, event_id, delivery_id, payload)
     ), event as (
       insert into webhook_events (tenant_id, id, webhook_id, type, created_at, payload)
       select $1, event_id, webhook_id, 'file.processing.completed', now(), payload from item
     )
     insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
     select $1, webhook_id, delivery_id, event_id, 'file.processing.completed' from item`,
    [
      tenantId,
      items.map(({ webhookId }) => webhookId),
      items.map(({ eventId }) => eventId),
      items.map(({ deliveryId }) => deliveryId),
      items.map(({ payload }) => payload),
    ],
  );
}

/** Makes the queued deliveries visible to the worker. */
export async function release(sql: Sql): Promise<void> {
  await sql(
    `insert into waiting_webhooks (tenant_id, webhook_id) select $1, unnest($2::uuid[])
     on conflict (tenant_id, webhook_id) do update set due_at = excluded.due_at`,
    [tenantId, webhookIds],
  );
}

export async function assertDelivered(sql: Sql, items: readonly Item[]): Promise<void> {
  const [row] = await sql<{ finished: number }>(
    `select count(*) as finished from finished_deliveries s join delivery_attempts a
       on a.tenant_id = s.tenant_id and a.delivery_id = s.id and a.status_code = 204
     where s.status = 'delivered' and s.attempt = 1 and s.id = any($1)`,
    [items.map(({ deliveryId }) => deliveryId)],
  );
  if (row?.finished !== items.length) throw new Error(`${row?.finished} of ${items.length} were delivered and logged`);
}
