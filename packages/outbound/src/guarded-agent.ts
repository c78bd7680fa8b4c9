// An undici agent that connects only where the policy lets it: the addresses a name has at that moment are checked, and the
// connection goes to one of those that were checked, so there is no second look-up to fool.
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import type { OutboundPolicy } from './outbound-policy.js';

export interface GuardedAgentOptions {
  policy: OutboundPolicy;
  /** Milliseconds to look up a name, connect and agree on TLS. */
  connectTimeoutMs: number;
  /** Milliseconds an unused connection is kept. */
  keepAliveMs: number;
  /** Certificates to trust beside those of the system; for tests. */
  ca?: string;
  /** An egress proxy, `http://host:port`: it then resolves names, and is where networks are kept apart. */
  proxyUrl?: string | undefined;
}

/** The caller keeps count of its own requests: each gets a connection of its own at once, none waits for another. */
export function createGuardedAgent(options: GuardedAgentOptions): Dispatcher {
  const shared = {
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    // The caller has one deadline for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  };
  if (options.proxyUrl) {
    return new ProxyAgent({ ...shared, uri: options.proxyUrl, connectTimeout: options.connectTimeoutMs });
  }
  return new Agent({ ...shared, connect: guardedConnector(options) });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'http:' ? 80 : 443));
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    void allowedAddresses(options.policy, target.protocol, hostname, port).then(
      (addresses) => open({ ...target, hostname }, addresses, port, options, callback),
      (error: Error) => callback(error, null),
    );
  };
}

function open(
  target: buildConnector.Options,
  addresses: readonly string[],
  port: number,
  { policy, connectTimeoutMs, ca }: GuardedAgentOptions,
  callback: buildConnector.Callback,
): void {
  const lookup = fixedLookup(addresses);
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    maxCachedSessions: 0,
    lookup,
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

/** Answers what was checked, whatever is asked. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    if (first) callback(null, first.address, first.family);
    else callback(new Error('no address'), '', 4);
  };
}
