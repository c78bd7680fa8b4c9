import { describe, expect, it } from '@jest/globals';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { testKey } from './key-test.js';
import { providerEndpoint } from './provider-endpoint.js';
import { ProviderError, type ProviderFault } from './provider-error.js';

const endpoint = providerEndpoint('chat', {
  baseUrl: 'https://secret-host.example',
  key: 'sk-secret',
  keyOwner: 'organization',
});
const far = Date.now() + 3_600_000;
const outcomeOf = (error: Error) =>
  testKey(async () => {
    throw error;
  }, far);
const faulty = (fault: ProviderFault, statusCode = 400) =>
  outcomeOf(new ProviderError(fault, endpoint, { statusCode, message: 'the provider said sk-secret' }));

describe('the test of a key', () => {
  it('is passed if the provider answers, though it cannot read the sample or says nothing', async () => {
    expect(await testKey(() => Promise.resolve('pong'), far)).toMatchObject({ ok: true, error: null });
    expect(await outcomeOf(new ExtractionError('corrupt_file', 'empty'))).toMatchObject({ ok: true, error: null });
    for (const fault of ['wordless', 'repetitive'] as const) expect(await faulty(fault)).toMatchObject({ ok: true });
  });

  it.each([
    ['unauthorized', 'provider_unauthorized', /does not accept the key\. Its status was 400\./],
    ['exhausted', 'provider_unauthorized', /no credit left/],
    ['rate_limited', 'provider_unavailable', /later/],
    ['timeout', 'timeout', /in time/],
    ['unreachable', 'provider_unavailable', /address/],
    ['refused', 'provider_unavailable', /address or the model/],
    ['malformed', 'provider_unavailable', /cannot read/],
    ['server_error', 'provider_unavailable', /failed\. Its status was 400\./],
  ] as const)('fails by %s with the code %s and a sentence without secrets', async (fault, code, message) => {
    const { ok, error } = await faulty(fault);
    expect([ok, error?.code]).toStrictEqual([false, code]);
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toMatch(/secret/);
  });

  it('fails by timeout at its deadline', async () => {
    const never = (signal: AbortSignal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    expect(await testKey(never, 0)).toMatchObject({ ok: false, error: { code: 'timeout' } });
  });

  it('passes on a fault of Kiln', async () => {
    await expect(outcomeOf(new Error('a defect'))).rejects.toThrow('a defect');
  });
});
