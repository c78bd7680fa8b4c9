// Creates, reads, updates and deletes webhooks, and rotates their secrets. A secret is returned once: when it is created
// or rotated.
import {
  conflict,
  decodeCursor,
  formatTimestamp,
  notFound,
  pageOf,
  uuidOf,
  WEBHOOKS_MAX,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { newSecret, Sealer } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { openSecret, sealHeaders, sealSecret } from './webhook-secrets.service.js';
import { webhookView } from './webhook.view.js';
import { WebhookStore } from './webhook.store.js';
import { SubscriberChanges } from './subscriber-changes.service.js';
import { acceptedUrl } from './url-policy.domain.js';

const keyset = z.tuple([z.uuid()]);

const TOO_MANY_SECRETS =
  'Deliveries are signed with 10 earlier secrets already. Wait until one expires, or end them all with grace_period_seconds 0.';
const missing = () => notFound('No webhook has this id.');

@Injectable()
export class ManageWebhooks {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly policy: OutboundPolicy,
    private readonly sealer: Sealer,
    @Inject(SubscriberChanges) private readonly changes: Pick<SubscriberChanges, 'announce'>,
  ) {}

  async create(
    input: WebhooksInput<'createWebhook'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'createWebhook'>> {
    const url = await acceptedUrl(this.policy, input.url);
    const id = uuidOf('webhook', input.id);
    const place = { tenant_id: tenantId, id };
    const row = await this.webhooks.create({
      ...place,
      organization_id: uuidOf('organization', input.org_id),
      url,
      events: input.events,
      spaces: input.spaces ?? null,
      description: input.description ?? null,
      secret: sealSecret(this.sealer, place, newSecret()),
      headers: sealHeaders(this.sealer, place, input.headers),
      header_names: Object.keys(input.headers),
    });
    this.changes.announce();
    if (!row) throw conflict(`There are ${WEBHOOKS_MAX} webhooks already. Delete one first.`);
    return { ...webhookView(row), secret: openSecret(this.sealer, row, 'secret') ?? '' };
  }

  async list(
    { limit = WEBHOOKS_MAX, cursor }: WebhooksInput<'listWebhooks'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'listWebhooks'>> {
    const scope = `webhooks:${tenantId}`;
    const after = cursor === undefined ? undefined : decodeCursor(scope, cursor, keyset)[0];
    const rows = await this.webhooks.list(tenantId, { after, limit: limit + 1 });
    const page = pageOf(rows, { limit, scope, view: webhookView, keyset: ({ id }) => [id] });
    return { webhooks: page.items, next_cursor: page.next_cursor };
  }

  async get({ id }: WebhooksInput<'getWebhook'>, { tenantId }: CallContext): Promise<WebhooksOutput<'getWebhook'>> {
    const row = await this.webhooks.find(tenantId, uuidOf('webhook', id));
    if (!row) throw missing();
    return webhookView(row);
  }

  async update(
    input: WebhooksInput<'updateWebhook'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'updateWebhook'>> {
    const { events, spaces, active, description, headers } = input;
    const id = uuidOf('webhook', input.id);
    // The id of a webhook of another tenant answers 404, whatever else is invalid.
    if (!(await this.webhooks.find(tenantId, id))) throw missing();
    const row = await this.webhooks.update(tenantId, id, {
      url: input.url === undefined ? undefined : await acceptedUrl(this.policy, input.url),
      events,
      spaces,
      active,
      description,
      ...(headers && {
        headers: sealHeaders(this.sealer, { tenant_id: tenantId, id }, headers),
        header_names: Object.keys(headers),
      }),
    });
    this.changes.announce();
    if (!row) throw missing();
    return webhookView(row);
  }

  async remove(
    { id }: WebhooksInput<'deleteWebhook'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'deleteWebhook'>> {
    if (!(await this.webhooks.remove(tenantId, uuidOf('webhook', id)))) throw missing();
    this.changes.announce();
    return { deleted: true };
  }

  async rotate(
    input: WebhooksInput<'rotateSecret'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'rotateSecret'>> {
    const id = uuidOf('webhook', input.id);
    const secret = newSecret();
    const sealed = sealSecret(this.sealer, { tenant_id: tenantId, id }, secret);
    const row = await this.webhooks.rotate(tenantId, id, sealed, input.grace_period_seconds);
    if (!row) throw missing();
    if (row === 'full') throw conflict(TOO_MANY_SECRETS);
    const ends = row.previous_secret_expires_at;
    return { id: input.id, secret, previous_secret_expires_at: ends === null ? null : formatTimestamp(ends) };
  }
}
