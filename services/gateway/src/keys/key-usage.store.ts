// Writes when keys were last used: many keys in one statement.
import { uuidOf } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';

// Set-based. It locks rows in the order of their ids, so that replicas that write at the same time wait for each other and cannot
// deadlock.
const saveUses = statement(
  'gateway.save_key_uses',
  `with used as materialized (
     select k.id, use.at from unnest($1::uuid[], $2::timestamptz[]) as use (id, at) join api_keys k on k.id = use.id
     order by k.id for no key update of k)
   update api_keys k set last_used_at = greatest(k.last_used_at, used.at) from used where k.id = used.id`,
);

export class KeyUsageStore {
  constructor(private readonly database: Queryable) {}

  /** `usedAt` has epoch milliseconds by the ids of keys, which are TypeIDs. Never replaces a later use by an earlier one. */
  async saveUses(usedAt: ReadonlyMap<string, number>): Promise<void> {
    const uuids = Array.from(usedAt.keys(), (id) => uuidOf('key', id));
    const times = Array.from(usedAt.values(), (at) => new Date(at));
    await this.database.query(saveUses, [uuids, times]);
  }
}
