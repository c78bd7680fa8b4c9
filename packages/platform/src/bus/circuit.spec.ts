import { NoResponderError } from './requester.js';
import { CodedError, notFound, unavailable } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Circuit, Circuits, isUnheard } from './circuit.js';
import { Registry } from 'prom-client';

const silent = () => Promise.reject(unavailable('The sample service', new Error('timeout')));
const code = (error: unknown) => (error instanceof CodedError ? error.code : 'none');

describe('the circuit of a service', () => {
  function sample(options = {}) {
    const clock = { milliseconds: 0 };
    const all = { failuresMax: 3, openMs: 1_000, inFlightMax: 4, ...options };
    const circuit = new Circuit('sample', all, () => clock.milliseconds++);
    return { clock, circuit };
  }
  const fail = async (circuit: Circuit, times: number) => {
    for (let call = 0; call < times; call++) await assert.rejects(circuit.run(silent));
  };

  it('opens after so many failures in a row and then refuses at once, without asking', async () => {
    const { circuit } = sample();
    await fail(circuit, 3);
    assert.equal(circuit.state, 'open');
    let asked = false;
    const refused: unknown = await circuit.run(async () => (asked = true)).catch((error: unknown) => error);
    assert.deepEqual([code(refused), isUnheard(refused), asked], ['UNAVAILABLE', true, false]);
    assert.equal(refused instanceof CodedError && refused.retryAfterSeconds, 1);
  });

  it('stays closed while answers come in between, refusals included', async () => {
    const { circuit } = sample();
    for (let round = 0; round < 5; round++) {
      await fail(circuit, 2);
      await assert.rejects(circuit.run(() => Promise.reject(notFound())));
    }
    assert.equal(circuit.state, 'closed');
  });

  it('stays closed when calls fail during which others were answered', async () => {
    const { circuit } = sample();
    let failAll = () => {};
    const lost = Array.from({ length: 3 }, () =>
      circuit.run(() => new Promise((_resolve, reject) => (failAll = chain(failAll, () => reject(silentError()))))),
    );
    await circuit.run(async () => 'answered');
    failAll();
    await Promise.allSettled(lost);
    assert.equal(circuit.state, 'closed');
  });

  it('lets one probe through after a while: its success closes, its failure opens again', async () => {
    const { circuit, clock } = sample();
    await fail(circuit, 3);
    clock.milliseconds += 1_000;
    assert.equal(circuit.state, 'half-open');
    let failProbe = () => {};
    const probe = circuit.run(() => new Promise((_resolve, reject) => (failProbe = () => reject(silentError()))));
    await assert.rejects(circuit.run(async () => 'second'));
    failProbe();
    await assert.rejects(probe);
    assert.equal(circuit.state, 'open');
    clock.milliseconds += 1_000;
    assert.equal(await circuit.run(async () => 'back'), 'back');
    assert.equal(circuit.state, 'closed');
  });

  it('never has more calls under way than allowed', async () => {
    const { circuit } = sample();
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    const running = Array.from({ length: 4 }, () => circuit.run(() => held));
    await assert.rejects(
      circuit.run(async () => 'fifth'),
      (error) => isUnheard(error),
    );
    finish();
    await Promise.all(running);
    assert.equal(await circuit.run(async () => 'fifth'), 'fifth');
  });

  it('does not take "nobody listens", which costs no waiting, for a failure', async () => {
    const { circuit } = sample();
    const nobody = new NoResponderError('nobody listens');
    for (let call = 0; call < 5; call++) {
      await assert.rejects(circuit.run(() => Promise.reject(unavailable('The sample service', nobody))));
    }
    assert.equal(circuit.state, 'closed');
  });

  it('is told by metrics, each service apart', async () => {
    const registry = new Registry();
    const circuits = new Circuits({ registry }, { failuresMax: 1, openMs: 60_000 });
    await assert.rejects(circuits.run('dead', silent));
    await assert.rejects(circuits.run('dead', silent));
    await circuits.run('alive', async () => 'ok');
    const text = await registry.metrics();
    assert.match(text, /kiln_circuit_state\{service="dead"\} 2/);
    assert.match(text, /kiln_circuit_state\{service="alive"\} 0/);
    assert.match(text, /kiln_circuit_refused_total\{service="dead"\} 1/);
  });
});

const silentError = () => unavailable('The sample service', new Error('timeout'));
const chain = (first: () => void, second: () => void) => () => {
  first();
  second();
};
