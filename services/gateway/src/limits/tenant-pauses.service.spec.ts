import { beforeEach, describe, expect, it } from '@jest/globals';
import { TenantPauses } from './tenant-pauses.service.js';

describe('between the parts of long work of a tenant', () => {
  let now: number;
  let pauses: TenantPauses;
  beforeEach(() => {
    now = 10_000;
    pauses = new TenantPauses(() => now);
  });

  it('there is no pause if no other tenant has sent a request', () => {
    expect(pauses.pauseMs('a', now - 50)).toBe(0);
    for (let count = 0; count < 3; count++) pauses.record('a');
    expect(pauses.pauseMs('a', now - 50)).toBe(0);
  });

  it('a pause is as long as the part while another tenant sends requests, whoever sent the last one', () => {
    pauses.record('a');
    pauses.record('b');
    expect(pauses.pauseMs('a', now - 50)).toBe(50);
    pauses.record('a');
    pauses.record('a');
    expect(pauses.pauseMs('a', now - 50)).toBe(50);
    expect(pauses.pauseMs('c', now - 50)).toBe(50);
  });

  it('a pause takes at most 200 ms', () => {
    pauses.record('b');
    expect(pauses.pauseMs('a', now - 3_000)).toBe(200);
  });

  it('there is none again once the others have sent nothing for a second', () => {
    pauses.record('b');
    pauses.record('a');
    now += 999;
    pauses.record('a');
    expect(pauses.pauseMs('a', now - 50)).toBe(50);
    now += 1;
    expect(pauses.pauseMs('a', now - 50)).toBe(0);
  });
});
