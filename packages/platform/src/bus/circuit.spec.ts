import { describe, expect, it } from '@jest/globals';
import { CodedError, notFound, unavailable } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { Metrics } from '../observability/metrics.js';
import { Circuit, Circuits, isUnheard } from './circuit.js';
import { NoReplyError, NoResponderError } from './requester.js';

const unanswered = () => unavailable('The sample service', new NoReplyError('no reply in time'));
const silent = () => Promise.reject(unanswered());
const code = (error: unknown) => (error instanceof CodedError ? error.code : 'none');

function sample(options = {}) {
  const service = { isAlive: false, pings: 0 };
  const ping = {
    isAnswered: async () => {
      service.pings++;
      return service.isAlive;
    },
  };
  const all = { failuresMax: 3, pingPauseMs: 5, inFlightMax: 8, ...options };
  let milliseconds = 0;
  const circuit = new Circuit('sample', all, ping, () => milliseconds++);
  return { service, circuit };
}

function pending<Result>() {
  let resolve: (result: Result) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Result>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

const fail = async (circuit: Circuit, times: number) => {
  for (let call = 0; call < times; call++) await expect(circuit.run('tenant', silent)).rejects.toThrow();
};

describe('the circuit of a service', () => {
  it('opens when a ping fails after a series of calls without a reply, and then rejects calls without sending them', async () => {
    const { circuit } = sample();
    await fail(circuit, 3);
    await eventually(() => circuit.isOpen);
    let sent = false;
    const refused: unknown = await circuit.run('tenant', async () => (sent = true)).catch((error: unknown) => error);
    expect([code(refused), isUnheard(refused), sent]).toStrictEqual(['UNAVAILABLE', true, false]);
    expect(refused instanceof CodedError && refused.retryAfterSeconds).toBe(1);
  });

  it('stays closed while the service answers pings, even if it answers no calls', async () => {
    const { circuit, service } = sample();
    service.isAlive = true;
    for (let round = 1; round <= 5; round++) {
      await fail(circuit, 3);
      await eventually(() => service.pings >= round);
      expect(circuit.isOpen).toBe(false);
    }
  });

  it('closes when the service answers a ping again', async () => {
    const { circuit, service } = sample();
    await fail(circuit, 3);
    await eventually(() => circuit.isOpen && service.pings > 2);
    service.isAlive = true;
    await eventually(() => !circuit.isOpen);
    expect(await circuit.run('tenant', async () => 'back')).toBe('back');
  });

  it('does not ping while replies arrive in between, including error replies', async () => {
    const { circuit, service } = sample();
    for (let round = 0; round < 5; round++) {
      await fail(circuit, 2);
      await expect(circuit.run('tenant', () => Promise.reject(notFound()))).rejects.toThrow();
      await expect(circuit.run('tenant', () => Promise.reject(unavailable('The database')))).rejects.toThrow();
    }
    expect([circuit.isOpen, service.pings]).toStrictEqual([false, 0]);
  });

  it('does not count a call without a reply if other calls were answered meanwhile', async () => {
    const { circuit, service } = sample();
    const { promise: lost, reject } = pending<never>();
    const calls = Array.from({ length: 3 }, () => circuit.run('tenant', () => lost));
    await circuit.run('tenant', async () => 'answered');
    reject(unanswered());
    await Promise.allSettled(calls);
    expect([circuit.isOpen, service.pings]).toStrictEqual([false, 0]);
  });

  it('does not count a call that no process received, because it fails at once', async () => {
    const { circuit, service } = sample();
    const unheard = unavailable('The sample service', new NoResponderError('no responders'));
    for (let call = 0; call < 5; call++)
      await expect(circuit.run('tenant', () => Promise.reject(unheard))).rejects.toThrow();
    expect([circuit.isOpen, service.pings]).toStrictEqual([false, 0]);
  });

  it('limits one tenant to half of the open calls, rejects more as RATE_LIMITED, and sends the calls of others', async () => {
    const { circuit } = sample();
    const { promise: held, resolve } = pending<void>();
    const running = Array.from({ length: 4 }, () => circuit.run('greedy', () => held));
    const refused: unknown = await circuit.run('greedy', () => held).catch((error: unknown) => error);
    expect([code(refused), isUnheard(refused)]).toStrictEqual(['RATE_LIMITED', true]);
    expect(await circuit.run('other', async () => 'sent')).toBe('sent');
    resolve();
    await Promise.all(running);
    expect(await circuit.run('greedy', async () => 'sent')).toBe('sent');
  });

  it('never has more open calls than allowed', async () => {
    const { circuit } = sample({ inFlightMax: 2 });
    const { promise: held, resolve } = pending<void>();
    const running = ['a', 'b'].map((tenantId) => circuit.run(tenantId, () => held));
    await expect(circuit.run('c', () => held)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    resolve();
    await Promise.all(running);
  });

  it('reports its state per service as a metric', async () => {
    const metrics = new Metrics('gateway', 'api');
    const ping = { isAnswered: async () => false };
    const circuits = new Circuits(metrics, ping, { failuresMax: 1, pingPauseMs: 60_000 });
    await expect(circuits.run('dead', 'tenant', silent)).rejects.toThrow();
    await circuits.run('alive', 'tenant', async () => 'ok');
    await eventually(async () => /kiln_circuit_state\{service="dead",role="api"\} 1/.test(await metrics.text()));
    await expect(circuits.run('dead', 'tenant', silent)).rejects.toThrow();
    const text = await metrics.text();
    expect(text).toMatch(/kiln_circuit_state\{service="alive",role="api"\} 0/);
    expect(text).toMatch(/kiln_circuit_refused_total\{service="dead",role="api"\} 1/);
  });
});
