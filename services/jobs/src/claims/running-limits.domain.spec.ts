import { describe, expect, it } from '@jest/globals';
import { isLimited, parseProviderLimits, UNLIMITED } from './running-limits.domain.js';

describe('limits on running jobs', () => {
  it('of providers are read from pairs, and invalid pairs are reported', () => {
    expect(parseProviderLimits('').limits).toStrictEqual(new Map());
    const { limits, wrong } = parseProviderLimits(' audio_extractor=2, image_extractor = 8,');
    expect([...limits, ...wrong]).toStrictEqual([
      ['audio_extractor', 2],
      ['image_extractor', 8],
    ]);
    const bad = ['audio=2', 'audio_extractor', 'audio_extractor=0', 'audio_extractor=-1', 'audio_extractor=1.5'];
    expect(parseProviderLimits(bad.join())).toStrictEqual({ limits: new Map(), wrong: bad });
  });

  it('are off unless one is set', () => {
    expect(isLimited(UNLIMITED)).toBe(false);
    expect(isLimited({ ...UNLIMITED, ofTenant: 1 })).toBe(true);
    expect(isLimited({ ...UNLIMITED, ofProvider: new Map([['audio_extractor', 1]]) })).toBe(true);
  });
});
