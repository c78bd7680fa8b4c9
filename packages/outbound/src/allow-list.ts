// Hosts and networks that callers may reach although they are private or use plain http: `KILN_OUTBOUND_ALLOW`.
import ipaddr from 'ipaddr.js';
import { parseAddress } from './public-address.js';

interface NameEntry {
  name: string;
  /** The entry begins with `*.`: it matches every name below the host. */
  below: boolean;
  port: number | null;
}

interface NetworkEntry {
  network: [ipaddr.IPv4 | ipaddr.IPv6, number];
  port: number | null;
}

export class AllowList {
  private readonly names: NameEntry[] = [];
  private readonly networks: NetworkEntry[] = [];

  /**
   * Entries separated by commas or spaces: a host name (`hooks.internal`), every name below one (`*.internal`), an address
   * (`127.0.0.1`, `[::1]`) or a network (`10.1.0.0/16`), all except networks with an optional `:port`. Throws on any other entry.
   */
  constructor(text: string) {
    for (const entry of text.split(/[\s,]+/).filter(Boolean)) this.add(entry);
  }

  get isEmpty(): boolean {
    return this.names.length === 0 && this.networks.length === 0;
  }

  allowsName(hostname: string, port: number): boolean {
    const name = hostname.toLowerCase();
    return this.names.some(
      (entry) =>
        (entry.port === null || entry.port === port) &&
        (entry.below ? name.endsWith(`.${entry.name}`) : name === entry.name),
    );
  }

  allowsAddress(text: string, port: number): boolean {
    const address = parseAddress(text);
    if (address === null) return false;
    return this.networks.some(
      ({ network, port: only }) =>
        (only === null || only === port) && address.kind() === network[0].kind() && address.match(network),
    );
  }

  private add(entry: string): void {
    if (ipaddr.isValidCIDR(entry)) {
      this.networks.push({ network: ipaddr.parseCIDR(entry), port: null });
      return;
    }
    const [, bracketed, plain, portText] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const bare = bracketed ?? plain ?? (ipaddr.IPv6.isValid(entry) ? entry : undefined);
    const port = portText === undefined ? null : Number(portText);
    if (bare === undefined || (port !== null && (port < 1 || port > 65_535))) throw new AllowListError(entry);
    const address = parseAddress(bare);
    if (address !== null) {
      this.networks.push({ network: [address, address instanceof ipaddr.IPv4 ? 32 : 128], port });
      return;
    }
    const name = bare.replace(/^\*\./, '').toLowerCase();
    if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(name)) throw new AllowListError(entry);
    this.names.push({ name, below: bare.startsWith('*.'), port });
  }
}

export class AllowListError extends Error {
  constructor(entry: string) {
    super(`KILN_OUTBOUND_ALLOW: "${entry}" is no host name, address or network, with or without a port`);
    this.name = 'AllowListError';
  }
}
