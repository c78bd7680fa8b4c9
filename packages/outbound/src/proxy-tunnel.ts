// Opens connections through an egress proxy: CONNECT (RFC 9110, section 9.3.6) to a checked address. The proxy never gets a name, because its
// own look-up could return other addresses.
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';

/** The message is for the owner of the URL, and does not name the proxy. */
export class OutboundProxyError extends Error {
  readonly code = 'KILN_OUTBOUND_PROXY';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundProxyError';
  }
}

const OK = 200;

export class ProxyTunnel {
  private readonly url: URL;
  private readonly headers: Record<string, string>;

  /** `http://host:port` or `https://host:port`, with a user and a password if the proxy requires them. */
  constructor(
    url: string,
    private readonly timeoutMs: number,
  ) {
    this.url = new URL(url);
    const { username, password } = this.url;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers = username ? { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` } : {};
  }

  /** Connects to the first address that the proxy can reach. Throws OutboundProxyError when it can reach none. */
  async open(addresses: readonly string[], port: number): Promise<Socket> {
    const deadlineAt = performance.now() + this.timeoutMs;
    let failure = new OutboundProxyError('no address was asked for');
    for (const address of addresses) {
      try {
        return await this.connect(address, port, deadlineAt - performance.now());
      } catch (error) {
        failure = error as OutboundProxyError;
      }
    }
    throw failure;
  }

  private connect(address: string, port: number, leftMs: number): Promise<Socket> {
    const path = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    const { protocol, hostname, port: proxyPort } = this.url;
    const request = (protocol === 'https:' ? tlsRequest : plainRequest)({
      method: 'CONNECT',
      host: hostname.replace(/^\[|\]$/g, ''),
      ...(proxyPort && { port: proxyPort }),
      path,
      headers: { host: path, ...this.headers },
      agent: false,
    });
    let isLate = false;
    // Not a signal, which would also end the tunnel after it was opened.
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy(new Error('late'));
    }, leftMs);
    return new Promise((resolve, reject) => {
      request.once('connect', ({ statusCode }: IncomingMessage, socket: Socket, head: Buffer) => {
        clearTimeout(timer);
        if (statusCode === OK) {
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
          return;
        }
        socket.destroy();
        reject(new OutboundProxyError(`The egress proxy did not connect to the endpoint: it answered ${statusCode}.`));
      });
      request.once('error', (error) => {
        clearTimeout(timer);
        const what = isLate ? 'did not connect to the endpoint in time' : 'could not be reached';
        reject(new OutboundProxyError(`The egress proxy ${what}.`, error));
      });
      request.end();
    });
  }
}
