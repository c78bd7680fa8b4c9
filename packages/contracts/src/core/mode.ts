// An organization has two tenants, live and test. The mode is part of the tenant's id: the id of a
// live tenant is a UUIDv7, and the id of the test tenant has the same digits as a UUIDv8 (RFC 9562). The mode travels with the
// id, so no service has to store it.
import { z } from 'zod';

export const modes = ['live', 'test'] as const;
export const modeSchema = z.enum(modes);
export type Mode = z.output<typeof modeSchema>;

const TENANT = /^[0-9a-f]{8}-[0-9a-f]{4}-([78])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const VERSION_AT = 14;
const VERSIONS = { live: '7', test: '8' } as const;

/** Null if the id is not a tenant's. */
export function findMode(tenantId: string): Mode | null {
  const [, version] = TENANT.exec(tenantId) ?? [];
  if (version === undefined) return null;
  return version === VERSIONS.live ? 'live' : 'test';
}

/** Throws a RangeError if the id is not a tenant's. */
export function modeOf(tenantId: string): Mode {
  const mode = findMode(tenantId);
  if (mode === null) throw new RangeError(`not the id of a tenant: ${tenantId}`);
  return mode;
}

/** The live tenant of the same organization. It owns settings, keys and usage. */
export const liveTenantOf = (tenantId: string): string => inMode(tenantId, 'live');

export const testTenantOf = (tenantId: string): string => inMode(tenantId, 'test');

function inMode(tenantId: string, mode: Mode): string {
  modeOf(tenantId);
  return tenantId.slice(0, VERSION_AT) + VERSIONS[mode] + tenantId.slice(VERSION_AT + 1);
}
