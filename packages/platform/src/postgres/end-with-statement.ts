// Ends a connection and the statement that it runs. The server cancels the statement by the key of this connection only
// (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). As the connection is not used again, a
// cancellation that comes late meets no other statement. A statement that the server begins after its cancellation ends by the server's check
// of the connection (`sessionOptions`).
import pg from 'pg';

/** The parts of node-postgres that its types leave out. */
type OpenClient = pg.PoolClient & { processID: number; secretKey: number };
interface CancellingConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

const CANCEL_TIMEOUT_MS = 1_000;

export function endWithStatement(pooled: pg.PoolClient): void {
  const client = pooled as OpenClient;
  const connection = new pg.Connection({ ssl: client.ssl }) as CancellingConnection;
  const timer = setTimeout(() => connection.stream.destroy(), CANCEL_TIMEOUT_MS);
  const cancel = () => connection.cancel(client.processID, client.secretKey);
  connection.on('connect', () => (client.ssl ? connection.requestSsl() : cancel()));
  connection.on('sslconnect', cancel);
  // `end` follows.
  connection.on('error', () => connection.stream.destroy());
  connection.on('end', () => {
    clearTimeout(timer);
    client.end().catch(() => undefined);
  });
  if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
  else connection.connect(client.port, client.host);
}
