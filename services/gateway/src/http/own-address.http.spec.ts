import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { ownAddress } from './own-address.http.js';

const request = (host: string | undefined, localAddress = '10.0.0.7') =>
  ({
    headers: { host, 'x-forwarded-proto': 'https' },
    socket: { localAddress, localPort: 8080 },
  }) as unknown as IncomingMessage;

describe('the address of the gateway', () => {
  it('is the configured one, whatever the request says, with its path and without a slash at its end', () => {
    for (const [configured, address] of [
      ['https://kiln.example.com', 'https://kiln.example.com'],
      ['https://kiln.example.com/', 'https://kiln.example.com'],
      ['https://example.com:8443/kiln/?a#b', 'https://example.com:8443/kiln'],
    ] as const) {
      expect(ownAddress(request('evil.example.com'), configured)).toBe(address);
    }
  });

  it('is where the request was sent when none is configured, over http', () => {
    for (const host of ['127.0.0.1:8080', 'kiln.example.com', 'my_gateway:80', '[::1]:8080', '[::1]']) {
      expect(ownAddress(request(host), undefined)).toBe(`http://${host}`);
    }
  });

  it.each([
    undefined,
    '',
    'a/b',
    'a@b',
    'a?b',
    'a#b',
    'a\\b',
    'a b',
    'a:b',
    'a:99999',
    'a,b',
    '[1',
    'ü',
    '%61',
    '1.2.3.4.5',
  ])('is where the gateway listens when the Host is not exactly the host of a URL: %j', (host) => {
    expect(ownAddress(request(host), undefined)).toBe('http://10.0.0.7:8080');
  });

  it('has brackets around an IPv6 address', () => {
    expect(ownAddress(request(undefined, '::1'), undefined)).toBe('http://[::1]:8080');
  });
});
