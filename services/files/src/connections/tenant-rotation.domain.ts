// Round robin by tenant: a queue is claimed from the tenant after the one that was served last.

const FIRST_TENANT = '00000000-0000-0000-0000-000000000000';

/** `claimAfter` claims of the next tenant after the given one that has something due. Null when no tenant has. */
export async function claimInRotation<Row>(
  lastTenantId: string | null,
  claimAfter: (tenantId: string) => Promise<Row[]>,
): Promise<Row | null> {
  for (const after of lastTenantId === null ? [FIRST_TENANT] : [lastTenantId, FIRST_TENANT]) {
    const [row] = await claimAfter(after);
    if (row) return row;
  }
  return null;
}
