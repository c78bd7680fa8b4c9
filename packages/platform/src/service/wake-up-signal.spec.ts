import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WakeUpSignal } from './wake-up-signal.js';

const LONG_MS = 60_000;

it('ends a sleep at once when sent', async () => {
  const signal = new WakeUpSignal();
  const slept = signal.sleep(LONG_MS);
  signal.send();
  await slept;
});

it('that is sent before a sleep ends the next one, and only that', async () => {
  const signal = new WakeUpSignal();
  signal.send();
  signal.send();
  await signal.sleep(LONG_MS);
  const startedAt = performance.now();
  await signal.sleep(20);
  assert.ok(performance.now() - startedAt >= 15);
});

it('with a delay ends a sleep after it, and never makes one longer', async () => {
  const signal = new WakeUpSignal();
  const startedAt = performance.now();
  const slept = signal.sleep(LONG_MS);
  signal.send(LONG_MS / 2);
  signal.send(20);
  signal.send(LONG_MS / 2);
  await slept;
  assert.ok(performance.now() - startedAt >= 15);
});
