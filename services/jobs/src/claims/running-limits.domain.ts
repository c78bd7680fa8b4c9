// Limits on the number of running jobs, over all workers.
import { providerSchema } from '@kiln/contracts';

export interface RunningLimits {
  /** For each tenant. Null: no limit. */
  ofTenant: number | null;
  /** For each of these providers, over all tenants. */
  ofProvider: ReadonlyMap<string, number>;
}

export const UNLIMITED: RunningLimits = { ofTenant: null, ofProvider: new Map() };

export const isLimited = ({ ofTenant, ofProvider }: RunningLimits) => ofTenant !== null || ofProvider.size > 0;

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
