import { CodedError, notFound, unavailable } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
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
  for (let call = 0; call < times; call++) await assert.rejects(circuit.run('tenant', silent));
};

describe('the circuit of a service', () => {
  it('opens when a ping is not answered after so many calls without an answer, and then refuses without sending', async () => {
    const { circuit } = sample();
    await fail(circuit, 3);
    await eventually(() => circuit.state === 'open');
    let sent = false;
    const refused: unknown = await circuit.run('tenant', async () => (sent = true)).catch((error: unknown) => error);
    assert.deepEqual([code(refused), isUnheard(refused), sent], ['UNAVAILABLE', true, false]);
    assert.equal(refused instanceof CodedError && refused.retryAfterSeconds, 1);
  });

  it('stays closed when the service answers the ping, however many calls it did not answer', async () => {
    const { circuit, service } = sample();
    service.isAlive = true;
    for (let round = 1; round <= 5; round++) {
      await fail(circuit, 3);
      await eventually(() => service.pings >= round);
      assert.equal(circuit.state, 'closed');
    }
  });

  it('closes by itself when the service answers a ping again', async () => {
    const { circuit, service } = sample();
    await fail(circuit, 3);
    await eventually(() => circuit.state === 'open' && service.pings > 2);
    service.isAlive = true;
    await eventually(() => circuit.state === 'closed');
    assert.equal(await circuit.run('tenant', async () => 'back'), 'back');
  });

  it('does not even ping while answers come in between, error replies included', async () => {
    const { circuit, service } = sample();
    for (let round = 0; round < 5; round++) {
      await fail(circuit, 2);
      await assert.rejects(circuit.run('tenant', () => Promise.reject(notFound())));
      await assert.rejects(circuit.run('tenant', () => Promise.reject(unavailable('The database'))));
    }
    assert.deepEqual([circuit.state, service.pings], ['closed', 0]);
  });

  it('does not count calls without an answer during which others were answered', async () => {
    const { circuit, service } = sample();
    const { promise: lost, reject } = pending<never>();
    const calls = Array.from({ length: 3 }, () => circuit.run('tenant', () => lost));
    await circuit.run('tenant', async () => 'answered');
    reject(unanswered());
    await Promise.allSettled(calls);
    assert.deepEqual([circuit.state, service.pings], ['closed', 0]);
  });

  it('does not count "nobody listens", which costs no waiting', async () => {
    const { circuit, service } = sample();
    const nobody = unavailable('The sample service', new NoResponderError('nobody listens'));
    for (let call = 0; call < 5; call++) await assert.rejects(circuit.run('tenant', () => Promise.reject(nobody)));
    assert.deepEqual([circuit.state, service.pings], ['closed', 0]);
  });

  it('lets one tenant have half of the calls under way, refuses it more as RATE_LIMITED, and sends those of others', async () => {
    const { circuit } = sample();
    const { promise: held, resolve } = pending<void>();
    const running = Array.from({ length: 4 }, () => circuit.run('greedy', () => held));
    const refused: unknown = await circuit.run('greedy', () => held).catch((error: unknown) => error);
    assert.deepEqual([code(refused), isUnheard(refused)], ['RATE_LIMITED', true]);
    assert.equal(await circuit.run('other', async () => 'sent'), 'sent');
    resolve();
    await Promise.all(running);
    assert.equal(await circuit.run('greedy', async () => 'sent'), 'sent');
  });

  it('never has more calls under way than allowed', async () => {
    const { circuit } = sample({ inFlightMax: 2 });
    const { promise: held, resolve } = pending<void>();
    const running = ['a', 'b'].map((tenantId) => circuit.run(tenantId, () => held));
    await assert.rejects(
      circuit.run('c', () => held),
      { code: 'UNAVAILABLE' },
    );
    resolve();
    await Promise.all(running);
  });

  it('is told by metrics, each service apart', async () => {
    const registry = new Registry();
    const ping = { isAnswered: async () => false };
    const circuits = new Circuits({ registry }, ping, { failuresMax: 1, pingPauseMs: 60_000 });
    await assert.rejects(circuits.run('dead', 'tenant', silent));
    await circuits.run('alive', 'tenant', async () => 'ok');
    await eventually(async () => /kiln_circuit_state\{service="dead"\} 1/.test(await registry.metrics()));
    await assert.rejects(circuits.run('dead', 'tenant', silent));
    const text = await registry.metrics();
    assert.match(text, /kiln_circuit_state\{service="alive"\} 0/);
    assert.match(text, /kiln_circuit_refused_total\{service="dead"\} 1/);
  });
});
