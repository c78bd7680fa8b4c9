import { describe, expect, it } from '@jest/globals';
import { extractorVariables } from '@kiln/platform';
import { z } from 'zod';
import type { RunPolicy } from '../../organization/policies/run-policy.domain.js';
import { managedPolicy } from '../../test/managed-policy.js';
import { FindEngines } from './find-engines.usecase.js';

const URL = 'http://127.0.0.1:1';

function find(environment: Record<string, string>, policy: Partial<RunPolicy> = {}) {
  const config = z.object(extractorVariables).parse(environment);
  return new FindEngines(config, { of: () => ({ ...managedPolicy, ...policy }) }).execute({ tenantId: 'a' });
}

describe('the engines of a tenant', () => {
  it('read documents and images on the machine, and speech only with a server', async () => {
    expect(await find({})).toStrictEqual({ documents: true, images: true, audio: false });
    expect(await find({ KILN_AUDIO_EXTRACTOR: URL })).toStrictEqual({ documents: true, images: true, audio: true });
  });

  it('include those that the organization has a key or an extractor of its own for', async () => {
    const keyOf = () => Promise.resolve('key');
    const byok = { KILN_AUDIO_EXTRACTOR_BYOK_URL: URL };
    expect([(await find(byok)).audio, (await find(byok, { keyOf })).audio]).toStrictEqual([false, true]);
    const extractorOf = () => Promise.resolve({ url: URL, secret: 'whsec_a' });
    expect((await find({}, { extractorOf })).audio).toBe(true);
  });

  it('are the local ones for test data', async () => {
    const servers = { KILN_DOCUMENT_EXTRACTOR: `${URL},local`, KILN_IMAGE_EXTRACTOR: URL, KILN_AUDIO_EXTRACTOR: URL };
    expect(await find(servers, { isTest: true })).toStrictEqual({ documents: true, images: false, audio: false });
  });
});
