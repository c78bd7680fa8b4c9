// The policies of a connection: when it is synced, and what syncs do with its objects and their files.
import { badRequest, type ConnectionsInput } from '@kiln/contracts';
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
export type ConnectionPolicies = Pick<Given, PolicyColumn> & { rules: ObjectRules };

/** Throws BAD_REQUEST when no size can satisfy the rules. */
export function policiesOf(input: Given): ConnectionPolicies {
  const { min_size: min, max_size: max } = input;
  if (min != null && max != null && min > max) throw badRequest('max_size must not be less than min_size.');
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
  return { ...columns, rules: rulesOf(input) };
}
