// Decides whether an IP address belongs to the public internet. All others are refused: loopback, private and link-local networks, multicast,
// the metadata services of cloud providers, and all of these embedded in an IPv6 address.
// Ranges: https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Azure's metadata and DNS server has an address in a public range: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const PUBLIC_METADATA = new Set(['168.63.129.16']);

/** The global unicast space that IANA has allocated. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address of the destination. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Parses an address. Of a v4-mapped or NAT64 address, returns the IPv4 address. Returns null when the text is not an address. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone (`fe80::1%eth0`) selects an interface and is not part of the address.
  const bare = text.split('%')[0] ?? '';
  // Stricter than the parser, which accepts `1.2.3` as an address.
  if (isIP(bare) === 0) return null;
  const address = ipaddr.parse(bare);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/** True when the address belongs to the public internet. False when the text is not an address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST);
  return !PUBLIC_METADATA.has(address.toString());
}
