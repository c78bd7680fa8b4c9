import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

fc.configureGlobal({ seed: testSeed() });

const refused: Record<string, string[]> = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '::%lo'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'broadcast and reserved': ['255.255.255.255', '240.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1'],
  'documentation, discard and the like': ['2001:db8::1', '100::1', '3fff::1', '5f00::1'],
  'v4-mapped': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe'],
  'v4-compatible': ['::127.0.0.1', '::10.0.0.1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:0808:0808::1'],
  Teredo: ['2001:0:53aa:64c::1', '2001::1'],
  'no address': ['', 'localhost', '127.1', '2130706433', '0x7f000001', '1.2.3', '1.2.3.4.5', ':::', '8.8.8.8/8'],
};

describe('an address that is refused', () => {
  const each = Object.entries(refused).flatMap(([kind, addresses]) => addresses.map((address) => [kind, address]));
  it.each(each)('is a %s one: %j', (_, address = '') => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('is also refused in every IPv6 form of it', () => {
    const privateV4 = fc.oneof(
      fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    );
    const prefix = fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:', '64:ff9b:1::');
    fc.assert(
      fc.property(prefix, privateV4, fc.boolean(), (before, [a, b, c, d], inHex) => {
        const tail = inHex ? `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : `${a}.${b}.${c}.${d}`;
        expect(isPublicAddress(before + tail)).toBe(false);
      }),
    );
  });
});

const allowed = ['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];
it.each([...allowed, '64:ff9b::8.8.8.8', '::ffff:8.8.8.8'])('%s is an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
