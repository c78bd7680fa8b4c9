import { expect, it } from '@jest/globals';
import { WakeUpSignal } from './wake-up-signal.js';

const LONG_MS = 60_000;

it('ends a sleep at once when sent', async () => {
  const signal = new WakeUpSignal();
  const slept = signal.sleep(LONG_MS);
  signal.send();
  await slept;
});

it('sent before a sleep ends the next sleep, and only that one', async () => {
  const signal = new WakeUpSignal();
  signal.send();
  signal.send();
  await signal.sleep(LONG_MS);
  const startedAt = performance.now();
  await signal.sleep(20);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(15);
});

it('with a delay ends a sleep after the delay, and never prolongs it', async () => {
  const signal = new WakeUpSignal();
  const startedAt = performance.now();
  const slept = signal.sleep(LONG_MS);
  signal.send(LONG_MS / 2);
  signal.send(20);
  signal.send(LONG_MS / 2);
  await slept;
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(15);
});
