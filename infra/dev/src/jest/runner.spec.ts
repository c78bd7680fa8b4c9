/** @own-modules */
import { describe, expect, it, jest } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';

const HOUR_MS = 3_600_000;
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('a spec file with modules of its own', () => {
  // The environment fails this file if the module that other files share has made the id.
  it('leaves the clock of UUIDs of other files where it was', () => {
    jest.useFakeTimers({ now: Date.now() + HOUR_MS });
    uuidv7();
    jest.useRealTimers();
    expect(timeOf(uuidv7())).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  });
});

describe('every spec file', () => {
  it('runs in the global scope of its worker, so classes of Node are its own', () => {
    expect(new Error('own')).toBeInstanceOf(globalThis.Error);
    expect(() => process.chdir('/nowhere')).toThrow(Error);
    expect(Object.getPrototypeOf(process.memoryUsage())).toBe(Object.prototype);
  });
});
