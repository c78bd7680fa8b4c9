// Names to addresses. Names that callers choose go to the DNS servers over c-ares, which waits on sockets: the system's
// getaddrinfo blocks one of the process's few threads for as long as the slowest name server takes, and everyone else's
// look-ups with it. Names that the operator lists are looked up as the system does, /etc/hosts included.
import { lookup, Resolver } from 'node:dns/promises';

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

export type ResolveHost = (hostname: string) => Promise<string[]>;

/** No address is known; `code` is that of the failed query. */
export class NameNotFoundError extends Error {
  readonly code: string;

  constructor(hostname: string, cause: unknown) {
    super(`${hostname} does not resolve`, { cause });
    this.name = 'NameNotFoundError';
    this.code = 'ENOTFOUND';
  }
}

/** By DNS alone: A and AAAA. Throws NameNotFoundError when neither gives an address within about four seconds. */
export async function resolveByDns(hostname: string): Promise<string[]> {
  // RFC 6761: never asked of a DNS server.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0)
    throw new NameNotFoundError(hostname, four.status === 'rejected' ? four.reason : undefined);
  return addresses;
}

/** As the system does. Throws NameNotFoundError. */
export async function resolveBySystem(hostname: string): Promise<string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new NameNotFoundError(hostname, error);
  }
}
