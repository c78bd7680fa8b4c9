// Resolves host names. Names that callers choose are resolved by c-ares, which does not block a thread. The system's getaddrinfo would block
// one of the process's few threads until a slow name server answers, and delay all other look-ups. Names on the operator's allow list are
// resolved as the system does it, including /etc/hosts.
import { lookup, Resolver } from 'node:dns/promises';

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Each server is asked twice, the second time for longer. With three of them, that takes 18 s, and callers wait for 8 s. */
const DEADLINE_MS = 6_000;

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

interface DnsOptions {
  /** Default: those of the system. */
  servers?: readonly string[];
  deadlineMs?: number;
}

/** Resolves A and AAAA records by DNS. Throws NameNotFoundError when neither returns an address within the deadline. */
export async function resolveByDns(
  hostname: string,
  { servers, deadlineMs = DEADLINE_MS }: DnsOptions = {},
): Promise<string[]> {
  // RFC 6761: localhost must not be sent to a DNS server.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
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
