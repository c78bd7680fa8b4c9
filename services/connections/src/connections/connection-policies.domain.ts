// The policies of a connection: when it is synced, and what syncs do with the files of its objects.
import type { ConnectionsInput } from '@kiln/contracts';
import type { ConnectionEntity } from './connection.entity.js';

const policyColumns = ['on_delete', 'space', 'sync_interval_minutes', 'paused'] as const;

/** Undefined: not set by the caller. */
export type ConnectionPolicies = {
  [Column in (typeof policyColumns)[number]]?: ConnectionEntity[Column] | undefined;
};

export const policiesOf = ({
  on_delete,
  space,
  sync_interval_minutes,
  paused,
}: Pick<ConnectionsInput<'updateConnection'>, (typeof policyColumns)[number]>): ConnectionPolicies => ({
  on_delete,
  space,
  sync_interval_minutes,
  paused,
});
