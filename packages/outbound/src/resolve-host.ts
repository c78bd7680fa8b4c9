// Resolves host names. Names that callers choose are resolved by c-ares, which does not block a thread. The system's getaddrinfo would block
// one of the process's few threads until a slow name server answers, and delay all other look-ups. Names on the operator's allow list are
// resolved as the system does it, including /etc/hosts.
import { lookup, Resolver } from 'node:dns/promises';

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

export type ResolveHost = (hostname: string) => Promise<string[]>;

/** The host has no address. `code` is the error code of the query. */
export class NameNotFoundError extends Error {
  readonly code: string;

  constructor(hostname: string, cause: unknown) {
    super(`${hostname} does not resolve`, { cause });
    this.name = 'NameNotFoundError';
    this.code = 'ENOTFOUND';
  }
}

/** Resolves A and AAAA records by DNS. Throws NameNotFoundError when neither returns an address within about four seconds. */
export async function resolveByDns(hostname: string): Promise<string[]> {
  // RFC 6761: localhost must not be sent to a DNS server.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0)
    throw new NameNotFoundError(hostname, four.status === 'rejected' ? four.reason : undefined);
  return addresses;
}

/** Resolves a name as the system does it. Throws NameNotFoundError. */
export async function resolveBySystem(hostname: string): Promise<string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new NameNotFoundError(hostname, error);
  }
}
