// The pool of a service. Tenants share its connections (`FairPlaces`). A connection that a call holds at the end of its deadline is
// ended with its running statement, so that it returns to the others.
import { unavailable } from '@kiln/contracts';
import pg from 'pg';
import { currentCall, type CurrentCall } from '../bus/current-call.js';
import { FairPlaces, OWN_WORK } from '../bus/fair-places.js';
import { endWithStatement } from './end-with-statement.js';

type OnConnection = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

const overdue = () => unavailable('The database', new Error('the deadline of the call has passed'));

export class FairPool extends pg.Pool {
  private readonly places: FairPlaces;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.places = new FairPlaces(this.options.max);
  }

  /** Requests that wait for a connection. */
  get queuedCount(): number {
    return this.places.waitingCount;
  }

  /** Every query and transaction comes through here, also from repositories. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<pg.PoolClient> | void {
    if (callback) return this.queue(callback);
    return new Promise((resolve, reject) => {
      this.queue((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  private queue(callback: OnConnection): void {
    const call = currentCall();
    const refuse = (error: Error) => process.nextTick(() => callback(error, undefined, () => undefined));
    if (call?.isOver) return refuse(overdue());
    let stopWaiting = () => undefined as void;
    let isStarted = false;
    const leave = this.places.request(call?.tenantId ?? OWN_WORK, 1, () => {
      isStarted = true;
      stopWaiting();
      this.open(call, callback);
    });
    if (isStarted) return;
    const giveUp = (error: Error) => {
      stopWaiting();
      if (leave()) refuse(error);
    };
    if (call) {
      stopWaiting = call.onOver(() => giveUp(overdue()));
      return;
    }
    const late = () => giveUp(new Error('timeout exceeded when trying to connect'));
    const timer = setTimeout(late, this.options.connectionTimeoutMillis);
    stopWaiting = () => clearTimeout(timer);
  }

  private open(call: CurrentCall | undefined, callback: OnConnection): void {
    const leave = () => this.places.release(call?.tenantId ?? OWN_WORK, 1);
    super.connect((error, client, release) => {
      if (!client || call?.isOver) {
        // Without a client there is nothing to release, and after its own timeout the pool gives no function either.
        if (client) release();
        leave();
        return callback(error ?? overdue(), undefined, () => undefined);
      }
      const ignore = call?.onOver(() => endWithStatement(client));
      const releaseBoth = (problem?: unknown) => {
        ignore?.();
        // The cancellation may still be on its way to this connection.
        release(problem ?? call?.isOver);
        leave();
      };
      client.release = releaseBoth;
      callback(undefined, client, releaseBoth);
    });
  }
}
