import { describe, expect, it } from '@jest/globals';
import { isLimited, parseProviderLimits, roomOf } from './running-limits.domain.js';

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
    expect(isLimited({ ofTenant: null, ofProvider: new Map() })).toBe(false);
    expect(isLimited({ ofTenant: 1, ofProvider: new Map() })).toBe(true);
    expect(isLimited({ ofTenant: null, ofProvider: new Map([['audio_extractor', 1]]) })).toBe(true);
  });

  it('leave room for what does not run yet, and never less than none', () => {
    const limits = { ofTenant: 3, ofProvider: new Map([['audio_extractor', 2]]) };
    const running = [
      { tenant_id: 'a', provider: 'audio_extractor', jobs: 4 },
      { tenant_id: 'b', provider: null, jobs: 1 },
    ];
    const room = roomOf(limits, running);
    expect(['a', 'b', 'c'].map((tenant) => room.ofTenant(tenant))).toStrictEqual([0, 2, 3]);
    expect([...room.ofProvider]).toStrictEqual([['audio_extractor', 0]]);
    expect(roomOf({ ofTenant: null, ofProvider: new Map() }, running).ofTenant('a')).toBe(Infinity);
  });
});
