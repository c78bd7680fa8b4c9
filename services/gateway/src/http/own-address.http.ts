// The address of this gateway, for links to it: the configured one, or else the address to which the request was sent.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** A name or an address, with an optional port. Other text could end the host of a URL and begin another part of it. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The address has no trailing slash. Behind a proxy that terminates TLS the operator has to configure `publicUrl`, because any
 * caller can send headers that claim https.
 */
export function ownAddress(request: IncomingMessage, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) {
    const { origin, pathname } = new URL(publicUrl);
    return origin + pathname.replace(/\/+$/, '');
  }
  const { host = '' } = request.headers;
  const asked = `http://${host}`;
  return HOST.test(host) && URL.canParse(asked) ? asked : listeningAddress(request);
}

/** The local address of the connection, for requests without a Host (HTTP/1.0) or with one that is not valid. */
function listeningAddress({ socket }: IncomingMessage): string {
  const { localAddress = 'localhost', localPort = 80 } = socket;
  return `http://${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}
