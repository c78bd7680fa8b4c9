// The load generator, as a separate process. argv: base URL, connections, milliseconds, authorization, and the file ids to request
// round robin. Prints one line of JSON.
import { closedLoop } from '../closed-loop.js';

const [url = '', connections = '1', milliseconds = '1000', authorization = '', ...ids] = process.argv.slice(2);
const { host } = new URL(url);
const requests = ids.map((id) =>
  Buffer.from(`GET /v1/files/${id} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`),
);
let asked = 0;
const next = () => requests[asked++ % requests.length] ?? Buffer.alloc(0);
const load = { url, connections: Number(connections), milliseconds: Number(milliseconds), next, status: 200 };
console.log(JSON.stringify(await closedLoop(load)));
