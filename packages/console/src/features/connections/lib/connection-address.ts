// Which part of a connection is shown, as the address has it.
export const tabs = ['syncs', 'objects'] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Record<Tab, string> = { syncs: 'Syncs', objects: 'Objects in the bucket' };

export interface ConnectionAddress {
  /** Syncs, if it is left out. */
  tab?: 'objects';
  /** The beginning of the keys. */
  prefix?: string;
}

export const addressOf = (tab: Tab, prefix = ''): ConnectionAddress =>
  tab === 'objects' ? { tab, ...(prefix !== '' && { prefix }) } : {};

/** Ignores what it does not know: addresses are typed and shared. */
export function readConnectionAddress({ tab, prefix }: Record<string, unknown>): ConnectionAddress {
  const isText = typeof prefix === 'string' || typeof prefix === 'number';
  return addressOf(tab === 'objects' ? tab : 'syncs', isText ? String(prefix) : '');
}
