// Faked: messages, which note that they were given back.
import type { JsMsg } from '@nats-io/jetstream';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MessageBuffer } from './message-buffer.js';

const HOUR_MS = 3_600_000;

describe('messages from the broker', () => {
  function open(batchSize: number, paceMs: number) {
    const buffer = new MessageBuffer({ batchSize, paceMs });
    const batches = buffer.batches();
    const next = async () => {
      const result = await batches.next();
      return result.done ? null : result.value.map(({ seq }) => seq);
    };
    const givenBack: number[] = [];
    const messageOf = (seq: number) => ({ seq, nak: () => void givenBack.push(seq) }) as JsMsg;
    const push = (...sequences: number[]) => sequences.forEach((sequence) => buffer.push(messageOf(sequence)));
    return { buffer, next, push, givenBack };
  }

  it('are handed out at once when they come alone', async () => {
    const { next, push } = open(10, HOUR_MS);
    const first = next();
    push(1);
    assert.deepEqual(await first, [1]);
  });

  it('gather while they keep coming, and do not wait for their time once a batch is full', async () => {
    const { next, push } = open(3, HOUR_MS);
    push(1);
    assert.deepEqual(await next(), [1]);
    const second = next();
    push(2);
    await setImmediate();
    push(3, 4, 5, 6, 7);
    assert.deepEqual(await second, [2, 3, 4]);
    assert.deepEqual(await next(), [5, 6, 7]);
  });

  it('that gathered come when their time is over', async () => {
    const { next, push } = open(10, 1);
    push(1);
    await next();
    const second = next();
    push(2);
    assert.deepEqual(await second, [2]);
  });

  it('are given back to the broker when the buffer closes while they gather, and when they come after that', async () => {
    const { buffer, next, push, givenBack } = open(10, HOUR_MS);
    push(1);
    await next();
    const second = next();
    push(2, 3);
    buffer.close();
    assert.equal(await second, null);
    push(4);
    assert.deepEqual(givenBack, [2, 3, 4]);
  });
});
