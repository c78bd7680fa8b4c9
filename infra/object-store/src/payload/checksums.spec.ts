import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChecksumGuard, startChecksum } from './checksums.js';

test('checksums match their published check values for "123456789"', () => {
  const expected = { crc32: 'y/Q5Jg==', crc32c: '4waSgw==', md5: 'JfnnlDI7RTiF9RgfG2JNCw==' };
  for (const [algorithm, value] of Object.entries(expected)) {
    const checksum = startChecksum(algorithm);
    checksum?.update(Buffer.from('1234'));
    checksum?.update(Buffer.from('56789'));
    assert.equal(checksum?.base64(), value, algorithm);
  }
});

test('a wrong claim and an announced trailer that never came are refused; unknown algorithms are let through', () => {
  const wrong = new ChecksumGuard([['crc32', 'AAAAAA==']], []);
  wrong.update(Buffer.from('x'));
  assert.throws(() => wrong.verify(), { code: 'BadDigest' });
  assert.throws(() => new ChecksumGuard([], ['crc32']).verify(), { code: 'InvalidRequest' });
  assert.throws(() => new ChecksumGuard([['md5', '!']], []), { code: 'InvalidDigest' });
  new ChecksumGuard([['crc64nvme', 'AAAA']], []).verify();
});
