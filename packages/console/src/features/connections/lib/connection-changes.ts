// The form that changes a connection, and the request that it becomes.
import type { Schemas } from '@kiln/sdk';
import { providerForms } from './providers.js';
import { isRegionMissing, credentialsOf, type Credentials, type FilePolicy } from './setup-form.js';
import { syncPolicyChanges, syncPolicyOf, type SyncPolicy } from './sync-policy.js';

type Connection = Schemas['Connection'];

export interface ChangesForm {
  name: string;
  region: string;
  isUnsorted: boolean;
  files: FilePolicy;
  syncs: SyncPolicy;
  /** Empty: no notifications. */
  queue: string;
  /** `s3://bucket/prefix/`. Empty: none. */
  inventory: string;
  /** Null: the stored ones are kept. They are never shown. */
  credentials: Credentials | null;
}

const DEFAULT_SPACE = 'default';

export const formOf = (connection: Connection): ChangesForm => {
  const { name, region, listing_order: order, space, on_delete: onDelete } = connection;
  return {
    name,
    region: region ?? '',
    isUnsorted: order === 'unsorted',
    files: { space: space ?? DEFAULT_SPACE, isKept: onDelete === 'keep' },
    syncs: syncPolicyOf(connection),
    queue: connection.notifications?.queue ?? '',
    inventory: connection.inventory ? `s3://${connection.inventory.bucket}/${connection.inventory.prefix}` : '',
    credentials: null,
  };
};

/** What differs from the connection. Null while something is missing. */
export function changesOf(
  connection: Connection,
  form: ChangesForm,
  externalId: string | undefined,
): Schemas['UpdateConnectionRequest'] | null {
  const before = formOf(connection);
  const [name, region] = [form.name.trim(), form.region.trim()];
  const space = form.files.space.trim() === '' ? DEFAULT_SPACE : form.files.space.trim();
  const credentials = form.credentials && credentialsOf(connection.provider, form.credentials, externalId);
  if (name === '' || (form.credentials && !credentials)) return null;
  // Its endpoint was given in place of a region.
  if (region !== before.region && isRegionMissing(connection.provider, region)) return null;
  const inventory = inventoryChanges(connection, form.inventory.trim(), before.inventory);
  if (inventory === null) return null;
  return {
    ...(name !== before.name && { name }),
    ...(region !== before.region && { region: region === '' ? null : region }),
    ...(form.isUnsorted !== before.isUnsorted && { listing_order: form.isUnsorted ? 'unsorted' : 'sorted' }),
    ...(space !== before.files.space && { space }),
    ...(form.files.isKept !== before.files.isKept && { on_delete: form.files.isKept ? 'keep' : 'delete' }),
    ...syncPolicyChanges(form.syncs, before.syncs),
    ...notificationChanges(connection.provider, form.queue.trim(), before.queue),
    ...inventory,
    ...(credentials && { credentials }),
  };
}

function notificationChanges(
  provider: Connection['provider'],
  queue: string,
  before: string,
): Pick<Schemas['UpdateConnectionRequest'], 'notifications'> {
  const type = providerForms[provider].queue?.type;
  if (queue === before || type === undefined) return {};
  return { notifications: queue === '' ? null : { type, queue } };
}

/** Null for an address that is not complete. */
function inventoryChanges(
  { inventory }: Connection,
  address: string,
  before: string,
): Pick<Schemas['UpdateConnectionRequest'], 'inventory'> | null {
  if (address === before) return {};
  if (address === '') return { inventory: null };
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.+\/)$/.exec(address) ?? [];
  if (bucket === undefined || prefix === undefined) return null;
  return { inventory: { bucket, prefix, ...(inventory && { max_age_hours: inventory.max_age_hours }) } };
}
