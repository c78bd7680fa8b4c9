// Webhooks: made, read, changed, deleted, their secrets rotated. A secret is told twice in its life: when it is made by creation,
// and when it is made by rotation.
import {
  conflict,
  formatTimestamp,
  notFound,
  uuidOf,
  WEBHOOKS_MAX,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type webhooksOperations,
} from '@kiln/contracts';
import type { OutboundPolicy } from '@kiln/outbound';
import type { Sealer } from '@kiln/platform';
import { openSecret, sealHeaders, sealSecret } from '../adapters/webhook-secrets.js';
import { newSecret } from '../domain/signature.js';
import { webhookView } from '../store/webhook.rows.js';
import type { WebhookStore } from '../store/webhook.store.js';
import { acceptedUrl } from './url-policy.js';

type Operations = typeof webhooksOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

const missing = () => notFound('No webhook has this id.');

export class ManageWebhooks {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly policy: OutboundPolicy,
    private readonly sealer: Sealer,
  ) {}

  async create(input: Input<'createWebhook'>, { tenantId }: CallContext): Output<'createWebhook'> {
    const url = await acceptedUrl(this.policy, input.url);
    const id = uuidOf('webhook', input.id);
    const place = { tenant_id: tenantId, id };
    const row = await this.webhooks.create({
      tenantId,
      id,
      organizationId: uuidOf('organization', input.org_id),
      url,
      events: input.events,
      description: input.description ?? null,
      secret: sealSecret(this.sealer, place, newSecret()),
      headers: sealHeaders(this.sealer, place, input.headers),
      headerNames: Object.keys(input.headers),
    });
    if (!row) throw conflict(`There are ${WEBHOOKS_MAX} webhooks already. Delete one first.`);
    return { ...webhookView(row), secret: openSecret(this.sealer, row, 'secret') ?? '' };
  }

  async list({ tenantId }: CallContext): Output<'listWebhooks'> {
    return { webhooks: (await this.webhooks.list(tenantId)).map(webhookView) };
  }

  async get({ id }: Input<'getWebhook'>, { tenantId }: CallContext): Output<'getWebhook'> {
    const row = await this.webhooks.find(tenantId, uuidOf('webhook', id));
    if (!row) throw missing();
    return webhookView(row);
  }

  async update(input: Input<'updateWebhook'>, { tenantId }: CallContext): Output<'updateWebhook'> {
    const { events, active, description, headers } = input;
    const id = uuidOf('webhook', input.id);
    // A stranger's id is 404, whatever else is wrong.
    if (!(await this.webhooks.find(tenantId, id))) throw missing();
    const row = await this.webhooks.update(tenantId, id, {
      url: input.url === undefined ? undefined : await acceptedUrl(this.policy, input.url),
      events,
      active,
      description,
      headers: headers && {
        sealed: sealHeaders(this.sealer, { tenant_id: tenantId, id }, headers),
        names: Object.keys(headers),
      },
    });
    if (!row) throw missing();
    return webhookView(row);
  }

  async remove({ id }: Input<'deleteWebhook'>, { tenantId }: CallContext): Output<'deleteWebhook'> {
    if (!(await this.webhooks.remove(tenantId, uuidOf('webhook', id)))) throw missing();
    return { deleted: true };
  }

  async rotate(input: Input<'rotateSecret'>, { tenantId }: CallContext): Output<'rotateSecret'> {
    const id = uuidOf('webhook', input.id);
    const secret = newSecret();
    const sealed = sealSecret(this.sealer, { tenant_id: tenantId, id }, secret);
    const row = await this.webhooks.rotate(tenantId, id, sealed, input.grace_period_seconds);
    if (!row) throw missing();
    const ends = row.previous_secret_expires_at;
    return { id: input.id, secret, previous_secret_expires_at: ends === null ? null : formatTimestamp(ends) };
  }
}
