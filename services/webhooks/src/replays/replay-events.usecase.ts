// Replays the events of a time window, or recovers those that were not delivered.
import { badRequest, conflict, type CallContext, type WebhooksInput, type WebhooksOutput } from '@kiln/contracts';
import { WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { REPLAYS_WAKE_UP } from '../wake-ups.events.js';
import { KnownWebhooks } from '../webhooks/known-webhooks.service.js';
import type { ReplayEntity } from './replay.entity.js';
import { ReplayStore, type EventWindow } from './replay.store.js';

@Injectable()
export class ReplayEvents {
  constructor(
    private readonly webhooks: KnownWebhooks,
    private readonly replays: ReplayStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async replay(
    input: WebhooksInput<'replayEvents'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'replayEvents'>> {
    const eventTypes = input.event_types ?? null;
    const { chosen, skipped } = await this.start('replay', tenantId, { ...input, eventTypes });
    return { replayed: chosen, skipped };
  }

  async recover(
    input: WebhooksInput<'recoverDeliveries'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'recoverDeliveries'>> {
    const { chosen } = await this.start('recover', tenantId, { ...input, eventTypes: null });
    return { recovered: chosen };
  }

  /** The window ends now at the latest, because later events are delivered anyway. */
  private async start(
    kind: ReplayEntity['kind'],
    tenantId: string,
    input: { id: string; since: string; until?: string | undefined; eventTypes: readonly string[] | null },
  ) {
    const webhook = await this.webhooks.getActive(tenantId, input.id);
    const now = new Date();
    const since = new Date(input.since);
    const asked = input.until === undefined ? now : new Date(input.until);
    if (asked < since) throw badRequest('until must not be earlier than since');
    const until = asked > now ? now : asked;
    const window: EventWindow = { tenantId, webhookId: webhook.id, since, until, eventTypes: input.eventTypes };
    const count = await this.replays.count(kind, window);
    if (count.chosen > 0) {
      if (!(await this.replays.add(uuidv7(), kind, window))) {
        throw conflict('The webhook has as many replays under way as it may. Wait until one is done.');
      }
      this.wakeUp.send(REPLAYS_WAKE_UP);
    }
    return count;
  }
}
