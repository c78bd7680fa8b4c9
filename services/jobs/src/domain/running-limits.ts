// How many jobs may run at a time, over all workers.
import { providerSchema } from '@kiln/contracts';

export interface RunningLimits {
  /** For each tenant; null for any number. */
  ofTenant: number | null;
  /** For each provider named here, over all tenants. */
  ofProvider: ReadonlyMap<string, number>;
}

export const UNLIMITED: RunningLimits = { ofTenant: null, ofProvider: new Map() };

export const isLimited = ({ ofTenant, ofProvider }: RunningLimits) => ofTenant !== null || ofProvider.size > 0;

/** Of `provider=number` pairs divided by commas; `wrong` are those that are none. */
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
