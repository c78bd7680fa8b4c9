// Sends an event as a webhook does, to a server of the developer.
import type { KilnEvent } from '@kiln/sdk';
import { signedWebhook } from '@kiln/sdk/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../describe-failure.js';

export interface Attempt {
  /** From 1. */
  number: number;
  isDelivered: boolean;
  /** Null if no response arrived. */
  status: number | null;
  error: string | null;
  durationMs: number;
  /** Null after the last attempt. */
  retryInMs: number | null;
}

interface Forward {
  url: string;
  event: KilnEvent;
  secret: string;
  retries: number;
  signal: AbortSignal;
}

const TIMEOUT_MS = 15_000;
const DELAY_MS = 1_000;
const DELAY_MS_MAX = 30_000;

/** Repeats until a response with 2xx: after 1, 2, 4, … seconds. Every attempt is signed at its time, with the id of the event. */
export async function forward(
  { url, event, secret, retries, signal }: Forward,
  onAttempt: (attempt: Attempt) => void,
): Promise<void> {
  for (let number = 1; ; number += 1) {
    const startedAt = performance.now();
    const { status, error } = await send(url, signedWebhook(event, secret), signal);
    const isDelivered = status !== null && status >= 200 && status < 300;
    const retryInMs = isDelivered || number > retries ? null : Math.min(DELAY_MS * 2 ** (number - 1), DELAY_MS_MAX);
    const durationMs = Math.round(performance.now() - startedAt);
    onAttempt({ number, isDelivered, status, error, durationMs, retryInMs });
    if (retryInMs === null) return;
    await sleep(retryInMs, undefined, { signal });
  }
}

async function send(url: string, { body, headers }: ReturnType<typeof signedWebhook>, signal: AbortSignal) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'kiln-payload-version': '1' },
      // Webhooks do not follow redirects.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (thrown) {
    signal.throwIfAborted();
    const { cause } = thrown as { cause?: { code?: string } };
    return { status: null, error: cause?.code ?? messageOf(thrown) };
  }
}
