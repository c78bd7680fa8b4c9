// The load: so many connections, each asking again as soon as it was answered. A process of its own on bare sockets, so that
// it takes as little of the machine as possible. argv: base URL, connections, milliseconds, authorization, and the ids of the
// files to ask for in turn. Prints one line of JSON.
import { connect } from 'node:net';

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const [url = '', connections = '1', milliseconds = '1000', authorization = '', ...ids] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const requests = ids.map((id) =>
  Buffer.from(`GET /v1/files/${id} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${authorization}\r\n\r\n`),
);
let asked = 0;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Bytes of the answer at the start of `bytes`; 0 while it is not whole. Throws for anything but 200. */
function answerLength(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const head = bytes.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`unexpected answer: ${bytes.toString('utf8', 0, 500)}`);
  const length = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return bytes.length >= length ? length : 0;
}

function runConnection(end: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const ask = () => {
      sentAt = performance.now();
      socket.write(requests[asked++ % requests.length] ?? '');
    };
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      if (answerLength(received) === 0) return;
      received = Buffer.alloc(0);
      const now = performance.now();
      times.push(now - sentAt);
      if (now < end) ask();
      else socket.end(resolve);
    });
  });
}

const startedAt = performance.now();
const times: number[] = [];
const end = startedAt + Number(milliseconds);
await Promise.all(Array.from({ length: Number(connections) }, () => runConnection(end, times)));
const seconds = (performance.now() - startedAt) / 1_000;
times.sort((a, b) => a - b);
const at = (quantile: number) => times[Math.floor((times.length - 1) * quantile)] ?? 0;
const result: LoadResult = {
  requests: times.length,
  requestsPerSecond: times.length / seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
};
console.log(JSON.stringify(result));
