// Faked: the clock.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, unavailable } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { NotSentError } from '@kiln/platform';
import { StorageError } from '@kiln/storage';
import { ClaimCircuit } from './claim-circuit.service.js';

const fault = new ExtractionError('unavailable', 'No extractor accepts documents.');
const corrupt = new ExtractionError('corrupt_file', 'The file is damaged.');

describe('a worker', () => {
  let now = 0;
  let circuit: ClaimCircuit;
  beforeEach(() => {
    now = 0;
    circuit = new ClaimCircuit({ error: () => undefined }, () => now);
  });
  const fails = (thrown: Error) => circuit.onFailure(circuit.begin(), thrown);

  it('claims nothing after three system faults in a row, then one job at a time until a run completes', () => {
    for (const free of [6, 6, 6]) {
      expect([circuit.limit(free), circuit.isClosed]).toStrictEqual([free, true]);
      fails(fault);
    }
    expect([circuit.limit(6), circuit.isClosed, circuit.waitMs]).toStrictEqual([0, false, 5_000]);
    now += 5_000;
    expect(circuit.limit(6)).toBe(1);
    const probe = circuit.begin();
    expect(circuit.limit(6)).toBe(0);
    circuit.onFailure(probe, fault);
    expect(circuit.waitMs).toBe(10_000);
    now += 10_000;
    circuit.begin().succeeded();
    expect([circuit.limit(6), circuit.isClosed]).toStrictEqual([6, true]);
  });

  it('claims nothing after three runs in a row for which a part of Kiln was away', () => {
    fails(new StorageError('unavailable', 'getting a: ECONNREFUSED', { retryable: true }));
    fails(unavailable('The files service', new NotSentError('the circuit is open')));
    expect(circuit.isClosed).toBe(true);
    fails(new StorageError('access_denied', 'putting a: AccessDenied'));
    expect(circuit.limit(6)).toBe(0);
  });

  it('goes on claiming while a service refuses calls, which may be those of one tenant, and after calls that were aborted', () => {
    const refusals = [
      unavailable('The search service'),
      new CodedError('RATE_LIMITED', 'Too many calls.', { cause: new NotSentError('too many open calls') }),
      new StorageError('unavailable', 'getting a: aborted by the caller'),
    ];
    for (const refusal of [...refusals, ...refusals]) fails(refusal);
    expect(circuit.isClosed).toBe(true);
  });

  it('waits up to 15 s between two attempts', () => {
    for (let failure = 0; failure < 20; failure++) {
      fails(fault);
      now += circuit.waitMs;
    }
    fails(fault);
    expect(circuit.waitMs).toBe(15_000);
  });

  it('goes on claiming while files fail for other reasons, or some run completes in between', () => {
    for (let failure = 0; failure < 10; failure++) fails(corrupt);
    for (let failure = 0; failure < 10; failure++) {
      fails(fault);
      fails(fault);
      now++;
      circuit.begin().succeeded();
    }
    expect(circuit.isClosed).toBe(true);
  });
});
