/**
 * One address for the replicas of a process, as a Service of Kubernetes is: it passes each connection to the next ready replica. A replica that
 * refuses the connection is passed over. It reads nothing of what it passes on.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answersOk } from '../servers/object-store.js';

const PROBE_INTERVAL_MILLISECONDS = 100;

export interface Replica {
  readonly port: number;
  readonly readyUrl: string;
}

export class Front {
  private readonly connections = new Set<Socket>();
  private ready: readonly Replica[] = [];
  private passed = 0;
  private isClosed = false;

  private constructor(
    private readonly server: Server,
    private readonly replicas: readonly Replica[],
  ) {
    server.on('connection', (caller: Socket) => this.pass(caller));
    void this.probe();
  }

  static async listen(host: string, port: number, replicas: readonly Replica[]): Promise<Front> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    const front = new Front(server, replicas);
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    return front;
  }

  close(): void {
    this.isClosed = true;
    this.server.close();
    for (const connection of this.connections) connection.destroy();
  }

  private async probe(): Promise<void> {
    while (!this.isClosed) {
      const answers = await Promise.all(this.replicas.map(({ readyUrl }) => answersOk(readyUrl)));
      this.ready = this.replicas.filter((_, index) => answers[index]);
      await delay(PROBE_INTERVAL_MILLISECONDS, undefined, { ref: false });
    }
  }

  private pass(caller: Socket): void {
    this.keep(caller);
    const candidates = this.ready.length > 0 ? this.ready : this.replicas;
    const first = this.passed++ % candidates.length;
    this.tryNext(caller, [...candidates.slice(first), ...candidates.slice(0, first)]);
  }

  private tryNext(caller: Socket, [replica, ...others]: readonly Replica[]): void {
    if (!replica) {
      caller.destroy();
      return;
    }
    const onward = connect({ port: replica.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const refused = () => this.tryNext(caller, others);
    onward.once('error', refused);
    onward.once('connect', () => {
      onward.off('error', refused);
      this.keep(onward);
      endWith(onward, caller);
      endWith(caller, onward);
      caller.pipe(onward).pipe(caller);
    });
  }

  private keep(connection: Socket): void {
    this.connections.add(connection);
    connection.on('error', () => connection.destroy());
    connection.once('close', () => this.connections.delete(connection));
  }
}

/** A reset is passed on. After an orderly end, the other side still gets what was written. */
function endWith(one: Socket, other: Socket): void {
  one.once('close', (hadError) => (hadError ? other.resetAndDestroy() : other.destroySoon()));
}
