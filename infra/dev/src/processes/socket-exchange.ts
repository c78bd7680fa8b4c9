import { connect } from 'node:net';

/**
 * Opens a loopback connection, sends `request`, and returns the response when `isComplete` is true. Undefined if the server
 * refused, closed the connection, or the deadline passed. Used to check whether a NATS or Redis server is ready.
 */
export async function socketExchange(
  port: number,
  request: string | Buffer,
  isComplete: (answer: string) => boolean,
  deadlineMilliseconds = 1_000,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (result: string | undefined) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(deadlineMilliseconds, () => finish(undefined));
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
    socket.once('connect', () => socket.write(request));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
      if (isComplete(answer)) finish(answer);
    });
  });
}
