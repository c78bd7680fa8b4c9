// A server in a process of its own that answers every request with the same JSON: a file, or a list of none. Prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const FILE = JSON.stringify({
  id: 'file_01je53ryvyfgystm9fdmy9q2gg',
  space: 'default',
  filename: 'contract.pdf',
  content_type: 'application/pdf',
  size_bytes: 48_213,
  status: 'completed',
  job_id: 'job_01je53ryvyfgystm9fdmy9q2gh',
  external_id: null,
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:08',
  metadata: { department: 'legal' },
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  variants: [],
});
const LIST = JSON.stringify({ files: [], next_cursor: null });

const server = createServer((request, response) => {
  const body = request.url?.startsWith('/v1/files/') === true ? FILE : LIST;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
