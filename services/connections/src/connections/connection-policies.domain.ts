// The policies of a connection: when it is synced, and what syncs do with its objects and their files.
import { badRequest, INVENTORY_AGE_HOURS_DEFAULT, type ConnectionsInput, type NotificationType } from '@kiln/contracts';
import type { InventoryPlace } from '../external-buckets/domain/inventory-manifest.js';
import { rulesOf, type ObjectRules } from './object-rules.domain.js';

type Given = Omit<ConnectionsInput<'updateConnection'>, 'id' | 'org_id' | 'credentials'>;
type PolicyColumn =
  | 'on_delete'
  | 'space'
  | 'sync_interval_minutes'
  | 'paused'
  | 'auto_process'
  | 'on_change'
  | 'pages_limit'
  | 'nodes_limit';

/** Undefined: not set by the caller. `rules` are those that the caller has set. */
export type ConnectionPolicies = Pick<Given, PolicyColumn> &
  Partial<NotificationColumns> & { inventory?: InventoryPlace | null; rules: ObjectRules };

/** The queue, and its state, which begins anew. */
interface NotificationColumns {
  notification_type: NotificationType | null;
  notification_queue: string | null;
  notification_error_code: null;
  notification_error: null;
  notification_received_at: null;
}

/** Throws BAD_REQUEST when no size can satisfy the rules. */
export function assertSizes({ min_size: min, max_size: max }: Pick<ObjectRules, 'min_size' | 'max_size'>): void {
  if (min != null && max != null && min > max) throw badRequest('max_size must not be less than min_size.');
}

/** Throws BAD_REQUEST when no size can satisfy the rules. */
export function policiesOf(input: Given): ConnectionPolicies {
  assertSizes(input);
  const { on_delete, space, sync_interval_minutes, paused, auto_process, on_change, pages_limit, nodes_limit } = input;
  const columns = {
    on_delete,
    space,
    sync_interval_minutes,
    paused,
    auto_process,
    on_change,
    pages_limit,
    nodes_limit,
  };
  return { ...columns, ...notificationColumns(input), ...inventoryColumn(input), rules: rulesOf(input) };
}

function inventoryColumn({ inventory: given }: Given): { inventory?: InventoryPlace | null } {
  if (given === undefined) return {};
  return { inventory: given && inventoryPlaceOf(given) };
}

export const inventoryPlaceOf = ({
  bucket,
  prefix,
  max_age_hours,
}: NonNullable<Given['inventory']>): InventoryPlace => ({
  bucket: bucket ?? null,
  prefix,
  maxAgeHours: max_age_hours ?? INVENTORY_AGE_HOURS_DEFAULT,
});

/** Another queue begins without the state of the one before. */
function notificationColumns({ notifications: given }: Given): Partial<NotificationColumns> {
  if (given === undefined) return {};
  const [notification_type, notification_queue] = [given?.type ?? null, given?.queue ?? null];
  const state = { notification_error_code: null, notification_error: null, notification_received_at: null };
  return { notification_type, notification_queue, ...state };
}
