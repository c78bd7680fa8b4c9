// A closed-loop HTTP load: each connection sends its next request when the response arrives. It uses bare sockets to take little
// CPU time.
import { connect } from 'node:net';

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ClosedLoop {
  url: string;
  connections: number;
  milliseconds: number;
  /** The bytes of the next request. */
  next: () => Buffer;
  /** Any other status aborts the run. */
  status: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** The length of the response at the start of `bytes`. 0 while it is incomplete. */
function answerLength(bytes: Buffer, status: number): number {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const head = bytes.toString('latin1', 0, headEnd);
  if (!head.startsWith(`HTTP/1.1 ${status}`)) throw new Error(`unexpected answer: ${bytes.toString('utf8', 0, 500)}`);
  const length = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return bytes.length >= length ? length : 0;
}

function runConnection({ url, next, status }: ClosedLoop, end: number, times: number[]): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const ask = () => {
      sentAt = performance.now();
      socket.write(next());
    };
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.on('data', (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      if (answerLength(received, status) === 0) return;
      received = Buffer.alloc(0);
      const now = performance.now();
      times.push(now - sentAt);
      if (now < end) ask();
      else socket.end(resolve);
    });
  });
}

export async function closedLoop(load: ClosedLoop): Promise<LoadResult> {
  const startedAt = performance.now();
  const times: number[] = [];
  const end = startedAt + load.milliseconds;
  await Promise.all(Array.from({ length: load.connections }, () => runConnection(load, end, times)));
  const seconds = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  const at = (quantile: number) => times[Math.floor((times.length - 1) * quantile)] ?? 0;
  return { requests: times.length, requestsPerSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
