// Decides which addresses a request to a caller's URL may reach. It is checked when the URL is set, and again for every connection with the
// current addresses of the host, so rebinding the name to a private address has no effect.
import { isIP } from 'node:net';
import { AllowList } from './allow-list.js';
import { isPublicAddress } from './public-address.js';
import { NameNotFoundError, resolveByDns, resolveBySystem, type ResolveHost } from './resolve-host.js';

/** The message is for the user who set the URL. It names the problem, but not the address of an internal name. */
export class OutboundRefusedError extends Error {
  readonly code = 'KILN_OUTBOUND_REFUSED';

  constructor(message: string) {
    super(message);
    this.name = 'OutboundRefusedError';
  }
}

export interface OutboundPolicyOptions {
  /** As in `KILN_OUTBOUND_ALLOW`. */
  allow: string;
  /** The look-up function, which tests replace. */
  resolveByDns?: ResolveHost;
  resolveBySystem?: ResolveHost;
}

const PRIVATE = 'leads to a private, local or reserved address';

/** Removes the brackets of an IPv6 address in a URL: `[::1]` → `::1`. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'http:' ? 80 : 443));

export class OutboundPolicy {
  private readonly allow: AllowList;
  private readonly byDns: ResolveHost;
  private readonly bySystem: ResolveHost;

  constructor(options: OutboundPolicyOptions) {
    this.allow = new AllowList(options.allow);
    this.byDns = options.resolveByDns ?? resolveByDns;
    this.bySystem = options.resolveBySystem ?? resolveBySystem;
  }

  /**
   * Throws OutboundRefusedError for a URL that may not be called. A name that does not resolve now is accepted: it is
   * checked again for every request.
   */
  async assertUrl(url: URL): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutboundRefusedError('must begin with https://');
    if (url.username || url.password) {
      throw new OutboundRefusedError('must not contain a user or password; use a custom header');
    }
    const port = portOf(url);
    const addresses = await this.addressesOf(hostnameOf(url), port).catch((error: unknown) => {
      if (error instanceof NameNotFoundError) return [];
      throw error;
    });
    if (url.protocol === 'http:' && !this.mayBePlain(hostnameOf(url), port, addresses)) {
      throw new OutboundRefusedError('must begin with https://');
    }
  }

  /** Whether the operator allows the host by name, or all of its addresses. */
  async isListed(url: URL): Promise<boolean> {
    const [hostname, port] = [hostnameOf(url), portOf(url)];
    if (this.allow.allowsName(hostname, port)) return true;
    const addresses = await this.addressesOf(hostname, port).catch(() => []);
    return this.mayBePlain(hostname, port, addresses);
  }

  /**
   * The addresses that a connection to this host may use. Throws OutboundRefusedError when any of them is not allowed,
   * NameNotFoundError when the host has no address.
   */
  async addressesOf(hostname: string, port: number): Promise<string[]> {
    const trusted = this.allow.allowsName(hostname, port);
    if (isIP(hostname)) {
      if (!trusted) this.assertAddress(hostname, port);
      return [hostname];
    }
    const addresses = await (trusted ? this.bySystem(hostname) : this.byDns(hostname));
    if (!trusted) for (const address of addresses) this.assertAddress(address, port);
    return addresses;
  }

  /** Throws OutboundRefusedError when plain http may not go to this host. */
  assertPlain(hostname: string, port: number, addresses: readonly string[]): void {
    if (!this.mayBePlain(hostname, port, addresses)) throw new OutboundRefusedError('must begin with https://');
  }

  /** The last check: the remote address of an open connection. */
  assertPeer(hostname: string, address: string | undefined, port: number): void {
    if (this.allow.allowsName(hostname, port)) return;
    if (address === undefined) throw new OutboundRefusedError(PRIVATE);
    this.assertAddress(address, port);
  }

  private assertAddress(address: string, port: number): void {
    if (!isPublicAddress(address) && !this.allow.allowsAddress(address, port)) throw new OutboundRefusedError(PRIVATE);
  }

  private mayBePlain(hostname: string, port: number, addresses: readonly string[]): boolean {
    if (this.allow.allowsName(hostname, port)) return true;
    return addresses.length > 0 && addresses.every((address) => this.allow.allowsAddress(address, port));
  }
}
