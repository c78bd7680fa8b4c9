// The states of remote engines. Each change locks the row of its engine, so workers make them one after the other.
import { statement, type Database, type Queryable } from '@kiln/platform';
import { newEngine, withLiveCalls, type EngineState } from './engine-state.domain.js';

/**
 * Inserts the engine, or only locks it. `now` is the time after the lock was taken. The transaction does not wait for the disk: if a crash of
 * the database loses a state, the next requests restore it.
 */
const lock = statement(
  'engines.lock',
  `insert into engines (engine, state) values ($1, $2) on conflict (engine) do update set engine = excluded.engine
   returning state, xmax = 0 as is_new, extract(epoch from clock_timestamp()) * 1000 as now,
     set_config('synchronous_commit', 'off', true)`,
);
const change = statement('engines.change', 'update engines set state = $2, used_at = now() where engine = $1');
const removeOld = statement(
  'engines.remove_old',
  `delete from engines where engine in (
     select engine from engines where used_at < now() - interval '1 day' limit 100 for update skip locked)`,
);

interface LockedRow {
  state: EngineState;
  is_new: boolean;
  now: string;
}

export interface EngineChange<Result> {
  state: EngineState;
  result: Result;
}

export class EngineStore {
  constructor(private readonly database: Database) {}

  /** `decide` gets the state without requests of dead workers, and the time in milliseconds. */
  change<Result>(engine: string, decide: (state: EngineState, now: number) => EngineChange<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      const { state, now } = await this.lock(transaction, engine);
      const changed = decide(withLiveCalls(state, now), now);
      await transaction.query(change, [engine, changed.state]);
      return changed.result;
    });
  }

  private async lock(transaction: Queryable, engine: string): Promise<{ state: EngineState; now: number }> {
    const [row] = await transaction.query<LockedRow>(lock, [engine, newEngine]);
    if (!row) throw new Error('the lock returned no row');
    // Unused engines are removed here, because new engines are rare.
    if (row.is_new) await transaction.query(removeOld);
    return { state: row.state, now: Math.floor(Number(row.now)) };
  }
}
