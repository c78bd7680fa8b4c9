import { describe, expect, it } from '@jest/globals';
import { AllowListError } from './allow-list.js';
import { OutboundPolicy, OutboundRefusedError } from './outbound-policy.js';
import { NameNotFoundError } from './resolve-host.js';

const names: Record<string, string[]> = {
  'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.215.14', '192.168.0.1'],
  'metadata.example.com': ['169.254.169.254'],
};
const look = async (hostname: string) => {
  const addresses = names[hostname];
  if (!addresses) throw new NameNotFoundError(hostname, undefined);
  return addresses;
};
const policyFor = (allow = '') => new OutboundPolicy({ allow, resolveByDns: look, resolveBySystem: look });
const check = (url: string, allow = '') => policyFor(allow).assertUrl(new URL(url));

it('a host is listed when the operator allows its name, or all of its addresses', async () => {
  const isListed = (url: string, allow: string) => policyFor(allow).isListed(new URL(url));
  expect(await isListed('https://example.com/', '')).toBe(false);
  expect(await isListed('https://example.com/', 'example.com')).toBe(true);
  expect(await isListed('https://example.com/', 'example.com:9443')).toBe(false);
  expect(await isListed('https://inside.example.com/', '10.0.0.0/8')).toBe(true);
  expect(await isListed('https://both.example.com/', '192.168.0.0/16')).toBe(false);
  expect(await isListed('https://not-there-yet.example.com/', '10.0.0.0/8')).toBe(false);
});

describe('a URL', () => {
  it('with https and a public host, or a host that does not resolve yet, is accepted', async () => {
    await check('https://example.com/hooks?x=1');
    await check('https://example.com:8443/');
    await check('https://not-there-yet.example.com/');
    await check('https://8.8.8.8/');
  });

  it('is refused when any address of its host is private, even if others are public', async () => {
    for (const host of ['inside', 'both', 'metadata']) {
      await expect(check(`https://${host}.example.com/`)).rejects.toThrow(OutboundRefusedError);
    }
  });

  it('is refused in every spelling of a local address', async () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '017700000001',
      '0x7f.0.0.0x1',
      '0',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[::127.0.0.1]',
      '192.168.257',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
    ]) {
      await expect(check(`https://${host}/`)).rejects.toThrow(OutboundRefusedError);
    }
  });

  it('with the host localhost is refused without a DNS query', async () => {
    for (const host of ['localhost', 'LOCALHOST', 'a.localhost', 'localhost.']) {
      await expect(new OutboundPolicy({ allow: '' }).assertUrl(new URL(`https://${host}/`))).rejects.toThrow(
        OutboundRefusedError,
      );
    }
  });

  it('with plain http, another scheme, or a user in it is refused', async () => {
    for (const url of ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'https://u:p@example.com/']) {
      await expect(check(url)).rejects.toThrow(OutboundRefusedError);
    }
  });

  it('is refused without revealing what an internal name resolves to', async () => {
    await expect(check('https://inside.example.com/')).rejects.toMatchObject({
      message: expect.not.stringContaining('10.0.0.7'),
    });
  });
});

describe('the allow list of the operator', () => {
  it('allows private addresses and plain http: by name, by name and port, below a name, by address, by network', async () => {
    await check('http://inside.example.com/', 'inside.example.com');
    await check('http://inside.example.com:81/', 'other, inside.example.com:81');
    await check('http://inside.example.com/', '*.example.com');
    await check('http://127.0.0.1:9000/', '127.0.0.1');
    await check('http://127.0.0.1:9000/', '127.0.0.1:9000');
    await check('https://[::1]/', '::1');
    await check('http://[::1]:9000/', '[::1]:9000');
    await check('http://inside.example.com/', '10.0.0.0/8');
    await check('http://2130706433/', '127.0.0.0/8');
  });

  it('allows no other port, name or neighbouring address', async () => {
    for (const [url, allow] of [
      ['http://127.0.0.1:9001/', '127.0.0.1:9000'],
      ['http://127.0.0.2/', '127.0.0.1'],
      ['https://inside.example.com/', '*.inside.example.com'],
      ['https://inside.example.com/', 'side.example.com'],
      ['https://both.example.com/', '10.0.0.0/8'],
      ['http://not-there.example.com/', '10.0.0.0/8'],
      ['http://example.com/', '10.0.0.0/8'],
    ] as const) {
      await expect(check(url, allow)).rejects.toThrow(OutboundRefusedError);
    }
  });

  it('is refused at start when an entry is invalid', () => {
    for (const wrong of ['http://x', 'a/b', '10.0.0.0/99', 'x:99999', 'x:0', '-', '*']) {
      expect(() => policyFor(wrong)).toThrow(AllowListError);
    }
  });
});
