// A generator of small uploads, as a separate process. argv: base URL, connections, milliseconds, authorization, and the target:
// `kiln` for a multipart upload, or a path of the bare server for the same bytes. Prints one line of JSON.
import { closedLoop } from '../closed-loop.js';

const SIZE_BYTES = 1_024;
const BOUNDARY = 'kiln-bench-boundary';

const [url = '', connections = '1', milliseconds = '1000', authorization = '', to = 'kiln'] = process.argv.slice(2);
const { host } = new URL(url);
const content = 'A small text. '.repeat(100).slice(0, SIZE_BYTES);

const multipart = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="small.txt"\r\nContent-Type: text/plain\r\n\r\n`,
  content,
  `\r\n--${BOUNDARY}--\r\n`,
].join('');
const [path, type, body] =
  to === 'kiln' ? ['/v1/upload', `multipart/form-data; boundary=${BOUNDARY}`, multipart] : [to, 'text/plain', content];
const request = Buffer.from(
  `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);
const times = { connections: Number(connections), milliseconds: Number(milliseconds) };
console.log(JSON.stringify(await closedLoop({ url, ...times, next: () => request, status: 201 })));
