// Opens connections that the policy allows. A name is resolved, its addresses are checked, and the connection goes to a checked address, also
// through a proxy. There is no second look-up that an attacker could answer differently.
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { OutboundPolicy } from './outbound-policy.js';
import { ProxyTunnel } from './proxy-tunnel.js';

export interface GuardedConnectOptions {
  policy: OutboundPolicy;
  /** Milliseconds to look up a name, connect and agree on TLS. */
  connectTimeoutMs: number;
  /** Additional trusted certificates, for tests. */
  ca?: string;
  /** An egress proxy, `http://host:port`. Names are still resolved and addresses checked here: the proxy gets addresses only. */
  proxyUrl?: string | undefined;
}

type Opening = (
  target: buildConnector.Options,
  addresses: readonly string[],
  port: number,
  callback: buildConnector.Callback,
) => void;

export function guardedConnector(options: GuardedConnectOptions): buildConnector.connector {
  const open = options.proxyUrl ? throughProxy(options, options.proxyUrl) : directly(options);
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'http:' ? 80 : 443));
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    void allowedAddresses(options.policy, target.protocol, hostname, port).then(
      (addresses) => open({ ...target, hostname }, addresses, port, callback),
      (error: Error) => callback(error, null),
    );
  };
}

const directly =
  ({ policy, connectTimeoutMs, ca }: GuardedConnectOptions): Opening =>
  (target, addresses, port, callback) => {
    const connect = buildConnector({
      timeout: connectTimeoutMs,
      autoSelectFamily: true,
      maxCachedSessions: 0,
      lookup: fixedLookup(addresses),
      ...(ca && { ca }),
    });
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      try {
        policy.assertPeer(target.hostname, socket.remoteAddress, port);
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };

/** TLS is negotiated with the endpoint, through the tunnel: the proxy sees addresses only. */
function throughProxy({ connectTimeoutMs, ca }: GuardedConnectOptions, proxyUrl: string): Opening {
  const tunnel = new ProxyTunnel(proxyUrl, connectTimeoutMs);
  const secure = buildConnector({ timeout: connectTimeoutMs, maxCachedSessions: 0, ...(ca && { ca }) });
  return (target, addresses, port, callback) =>
    void tunnel.open(addresses, port).then(
      (socket) =>
        target.protocol === 'https:'
          ? secure({ ...target, httpSocket: socket }, callback)
          : callback(null, socket.setNoDelay(true)),
      (error: Error) => callback(error, null),
    );
}

async function allowedAddresses(
  policy: OutboundPolicy,
  protocol: string,
  hostname: string,
  port: number,
): Promise<string[]> {
  const addresses = await policy.addressesOf(hostname, port);
  if (protocol === 'http:') policy.assertPlain(hostname, port, addresses);
  return addresses;
}

/** A look-up function that always returns the checked addresses. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    if (first) callback(null, first.address, first.family);
    else callback(new Error('no address'), '', 4);
  };
}
