// What an organization asks of each answer of a chat model. The jobs service stores it with the other settings.
import { jobsOperations, liveTenantOf, type CallContext, type OrganizationSettings } from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import QuickLRU from 'quick-lru';

/** Changed instructions apply after this time at the latest. */
const TIME_TO_LIVE_MS = 10_000;
const ORGANIZATIONS_MAX = 2_000;

@Injectable()
export class OrganizationInstructions {
  private readonly known = new QuickLRU<string, Promise<string | null>>({
    maxSize: ORGANIZATIONS_MAX,
    maxAge: TIME_TO_LIVE_MS,
  });

  constructor(@Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>) {}

  /** Null without instructions. Throws UNAVAILABLE without the jobs service. */
  of(context: CallContext): Promise<string | null> {
    const tenantId = liveTenantOf(context.tenantId);
    const known = this.known.get(tenantId);
    if (known) return known;
    const read = this.rpc
      .call(jobsOperations.getSettings, {}, { ...context, tenantId, mode: 'live' })
      // Release 0.2 sends none.
      .then(({ answer_instructions: instructions = null }: Partial<OrganizationSettings>) => instructions);
    this.known.set(tenantId, read);
    read.catch(() => this.known.delete(tenantId));
    return read;
  }
}
