import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Doorbell } from './doorbell.js';

const LONG_MS = 60_000;

it('ends a sleep at once when rung', async () => {
  const bell = new Doorbell();
  const slept = bell.sleep(LONG_MS);
  bell.ring();
  await slept;
});

it('remembers one ring that came while nobody slept, and only one', async () => {
  const bell = new Doorbell();
  bell.ring();
  bell.ring();
  await bell.sleep(LONG_MS);
  const startedAt = performance.now();
  await bell.sleep(20);
  assert.ok(performance.now() - startedAt >= 15);
});
