/** The slots that a worker has taken, by tenant, and the maximum for one tenant. */
export interface HeldSlots {
  held: ReadonlyMap<string, number>;
  heldMax: number;
}

/** The tenants that may take no further slot. */
export const fullTenants = ({ held, heldMax }: HeldSlots): string[] =>
  [...held].filter(([, count]) => count >= heldMax).map(([tenantId]) => tenantId);
