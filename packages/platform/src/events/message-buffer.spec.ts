// Faked: messages, which record that they were returned to the broker.
import { describe, expect, it } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
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

  it('are passed on at once if they arrive alone', async () => {
    const { next, push } = open(10, HOUR_MS);
    const first = next();
    push(1);
    expect(await first).toStrictEqual([1]);
  });

  it('are batched while they keep arriving, and passed on early when a batch is full', async () => {
    const { next, push } = open(3, HOUR_MS);
    push(1);
    expect(await next()).toStrictEqual([1]);
    const second = next();
    push(2);
    await setImmediate();
    push(3, 4, 5, 6, 7);
    expect(await second).toStrictEqual([2, 3, 4]);
    expect(await next()).toStrictEqual([5, 6, 7]);
  });

  it('in a batch are passed on when the waiting time ends', async () => {
    const { next, push } = open(10, 1);
    push(1);
    await next();
    const second = next();
    push(2);
    expect(await second).toStrictEqual([2]);
  });

  it('are returned to the broker when they are in the buffer as it closes, or arrive later', async () => {
    const { buffer, next, push, givenBack } = open(10, HOUR_MS);
    push(1);
    await next();
    const second = next();
    push(2, 3);
    buffer.close();
    expect(await second).toBeNull();
    push(4);
    expect(givenBack).toStrictEqual([2, 3, 4]);
  });
});
