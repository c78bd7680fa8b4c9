// Limits on the number of running jobs, over all workers.
import { providerSchema } from '@kiln/contracts';

export interface RunningLimits {
  /** For each tenant. Null: no limit. */
  ofTenant: number | null;
  /** For each of these providers, over all tenants. */
  ofProvider: ReadonlyMap<string, number>;
}

export const isLimited = ({ ofTenant, ofProvider }: RunningLimits) => ofTenant !== null || ofProvider.size > 0;

/** Running jobs of a tenant and a provider. */
export interface Running {
  tenant_id: string;
  provider: string | null;
  jobs: number;
}

/** How many more jobs may run: of a tenant, and of each provider that has a limit. */
export interface Room {
  ofTenant(tenantId: string): number;
  ofProvider: ReadonlyMap<string, number>;
}

export const UNLIMITED_ROOM: Room = { ofTenant: () => Number.POSITIVE_INFINITY, ofProvider: new Map() };

export function roomOf(limits: RunningLimits, running: readonly Running[]): Room {
  const count = (of: (group: Running) => boolean) => running.filter(of).reduce((sum, { jobs }) => sum + jobs, 0);
  const left = (limit: number, of: (group: Running) => boolean) => Math.max(0, limit - count(of));
  return {
    ofTenant: (tenantId) => left(limits.ofTenant ?? Number.POSITIVE_INFINITY, (group) => group.tenant_id === tenantId),
    ofProvider: new Map(
      [...limits.ofProvider].map(([provider, limit]) => [
        provider,
        left(limit, (group) => group.provider === provider),
      ]),
    ),
  };
}

/** Reads `provider=number` pairs separated by commas. `wrong`: the pairs that are invalid. */
export function parseProviderLimits(text: string): { limits: Map<string, number>; wrong: string[] } {
  const limits = new Map<string, number>();
  const wrong: string[] = [];
  for (const pair of text.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const [, provider, jobs] = /^(\w+) *= *([1-9]\d{0,5})$/.exec(pair) ?? [];
    const known = providerSchema.safeParse(provider);
    if (known.success) limits.set(known.data, Number(jobs));
    else wrong.push(pair);
  }
  return { limits, wrong };
}
