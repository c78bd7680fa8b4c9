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
  return {
    ...(name !== before.name && { name }),
    ...(region !== before.region && { region: region === '' ? null : region }),
    ...(form.isUnsorted !== before.isUnsorted && { listing_order: form.isUnsorted ? 'unsorted' : 'sorted' }),
    ...(space !== before.files.space && { space }),
    ...(form.files.isKept !== before.files.isKept && { on_delete: form.files.isKept ? 'keep' : 'delete' }),
    ...syncPolicyChanges(form.syncs, before.syncs),
    ...notificationChanges(connection.provider, form.queue.trim(), before.queue),
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
