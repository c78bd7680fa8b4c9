import { expect, test } from '@jest/globals';
import { ChecksumGuard, startChecksum } from './checksums.js';

test.each([
  ['crc32', 'y/Q5Jg=='],
  ['crc32c', '4waSgw=='],
  ['md5', 'JfnnlDI7RTiF9RgfG2JNCw=='],
])('%s matches its published check value for "123456789"', (algorithm, value) => {
  const checksum = startChecksum(algorithm);
  checksum?.update(Buffer.from('1234'));
  checksum?.update(Buffer.from('56789'));
  expect(checksum?.base64()).toBe(value);
});

test('a wrong checksum and a missing announced trailer are refused, and unknown algorithms are accepted', () => {
  const wrong = new ChecksumGuard([['crc32', 'AAAAAA==']], []);
  wrong.update(Buffer.from('x'));
  expect(() => wrong.verify()).toThrow(expect.objectContaining({ code: 'BadDigest' }));
  expect(() => new ChecksumGuard([], ['crc32']).verify()).toThrow(expect.objectContaining({ code: 'InvalidRequest' }));
  expect(() => new ChecksumGuard([['md5', '!']], [])).toThrow(expect.objectContaining({ code: 'InvalidDigest' }));
  new ChecksumGuard([['crc64nvme', 'AAAA']], []).verify();
});
