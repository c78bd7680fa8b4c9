import { expect, it } from '@jest/globals';
import { parseInput } from '../core/validation.js';
import { newProviderKeySchema } from './provider-keys.js';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
const own = { provider: 'document_extractor', key: secretOf(32), url: 'https://extractor.example/read?v=1' };

it('a key with a URL is the secret of an own extractor: 24 to 64 bytes, and only for extraction', () => {
  for (const bytes of [24, 32, 64]) parseInput(newProviderKeySchema, { ...own, key: secretOf(bytes) });
  parseInput(newProviderKeySchema, { ...own, key: 'sk-a-plain-key', url: null });
  const wrong: [object, RegExp][] = [
    [{ key: 'sk-a-plain-key' }, /^key must be whsec_/],
    [{ key: secretOf(16) }, /^key must be whsec_/],
    [{ key: secretOf(70) }, /^key must be whsec_/],
    [{ provider: 'embedding' }, /^url is only for the providers of extraction/],
    [{ url: 'ftp://extractor.example' }, /^url /],
    [{ url: 'extractor' }, /^url /],
  ];
  for (const [change, message] of wrong)
    expect(() => parseInput(newProviderKeySchema, { ...own, ...change })).toThrow(message);
});
