/** `node forward-ports.js FROM TO PORT…` forwards each of these ports of the address FROM to the same port of TO. */
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { pathToFileURL } from 'node:url';

/** Resolves when the port is open. */
export async function forwardPort(from: string, to: string, port: number): Promise<Server> {
  const server = createServer((incoming) => {
    const outgoing = connect(port, to);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
  });
  server.listen(port, from);
  await once(server, 'listening');
  return server;
}

const [entry = '', from = '', to = '', ...ports] = process.argv.slice(1);
if (import.meta.url === pathToFileURL(entry).href) {
  for (const port of ports) await forwardPort(from, to, Number(port));
  console.log('forwarding');
}
