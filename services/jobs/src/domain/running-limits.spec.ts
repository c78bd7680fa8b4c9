import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLimited, parseProviderLimits, UNLIMITED } from './running-limits.js';

describe('limits on running jobs', () => {
  it('of providers are read from pairs, and what is none is named', () => {
    assert.deepEqual(parseProviderLimits('').limits, new Map());
    const { limits, wrong } = parseProviderLimits(' audio_extractor=2, image_extractor = 8,');
    assert.deepEqual(
      [...limits, ...wrong],
      [
        ['audio_extractor', 2],
        ['image_extractor', 8],
      ],
    );
    const bad = ['audio=2', 'audio_extractor', 'audio_extractor=0', 'audio_extractor=-1', 'audio_extractor=1.5'];
    assert.deepEqual(parseProviderLimits(bad.join()), { limits: new Map(), wrong: bad });
  });

  it('cost nothing where none is set', () => {
    assert.equal(isLimited(UNLIMITED), false);
    assert.equal(isLimited({ ...UNLIMITED, ofTenant: 1 }), true);
    assert.equal(isLimited({ ...UNLIMITED, ofProvider: new Map([['audio_extractor', 1]]) }), true);
  });
});
