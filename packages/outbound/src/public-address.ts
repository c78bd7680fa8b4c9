// Which IP addresses belong to the public internet. Everything else is refused to callers: loopback, private and link-local
// networks, multicast, the metadata services of clouds, and every way to write one of those inside an IPv6 address.
// Ranges: https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Azure's metadata and DNS server lies in a public range: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const PUBLIC_METADATA = new Set(['168.63.129.16']);

/** All that IANA has given out as global unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is really reached. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** The address in `text`, an IPv4 address inside a v4-mapped or NAT64 one taken out; null when it is none. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone (`fe80::1%eth0`) chooses an interface; it says nothing of the address.
  const bare = text.split('%')[0] ?? '';
  // Stricter than the parser, which takes `1.2.3` for an address.
  if (isIP(bare) === 0) return null;
  const address = ipaddr.parse(bare);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/** Whether a packet to this address leaves for the public internet. False for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST);
  return !PUBLIC_METADATA.has(address.toString());
}
