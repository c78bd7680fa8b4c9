// Google Pub/Sub by its REST API: https://cloud.google.com/pubsub/docs/reference/rest/v1/projects.subscriptions
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { createGcsClient, type GcsSignIn, type GcsStoreConfig } from '../gcs/gcs-client.js';
import { GcsRequests } from '../gcs/gcs-requests.js';
import { StorageError } from '../storage.errors.js';
import type { ChangeQueue, QueueMessage, ReceiveOptions } from './change-queue.port.js';

export type PubSubQueueConfig = Pick<GcsStoreConfig, 'agents' | 'requestTimeoutMs'> &
  GcsSignIn & {
    /** Base URL of the API. Default: Google. */
    endpoint?: string;
    /** `projects/<project>/subscriptions/<subscription>`. */
    subscription: string;
  };

interface PullAnswer {
  receivedMessages?: { ackId?: string; message?: { data?: string; attributes?: Record<string, string> } }[];
}

const PUBSUB_ENDPOINT = 'https://pubsub.googleapis.com';
const BATCH_MAX = 100;

/** Makes no request. */
export function openPubSubQueue(config: PubSubQueueConfig): ChangeQueue {
  return new PubSubQueue(config);
}

class PubSubQueue implements ChangeQueue {
  private readonly requests: GcsRequests;
  private readonly url: string;

  constructor({ endpoint = PUBSUB_ENDPOINT, subscription, agents, requestTimeoutMs, ...signIn }: PubSubQueueConfig) {
    const timeoutMs = requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    // The token of a service account is valid for all APIs of Google Cloud.
    const client = createGcsClient({ bucket: '', ...signIn });
    this.requests = new GcsRequests(client, endpoint, '', timeoutMs, agents, signIn.federated);
    this.url = `${endpoint}/v1/${subscription.split('/').map(encodeURIComponent).join('/')}`;
  }

  async receive({ waitSeconds, hiddenSeconds, signal }: ReceiveOptions): Promise<QueueMessage[]> {
    const messages = await this.pull(waitSeconds, signal);
    // The deadline of the subscription may be shorter.
    if (messages.length > 0) await this.hide(messages, hiddenSeconds);
    return messages;
  }

  async delete(messages: readonly QueueMessage[]): Promise<void> {
    if (messages.length > 0) await this.post('acknowledge', { ackIds: messages.map(({ receipt }) => receipt.handle) });
  }

  /** A received message is delivered again at once. */
  async check(): Promise<void> {
    const messages = messagesOf(await this.post('pull', { maxMessages: 1, returnImmediately: true }));
    if (messages.length > 0) await this.hide(messages, 0);
  }

  close(): void {
    // The caller owns the agents.
  }

  /** Google decides how long it waits for a message. A pull that is ended here first has received nothing. */
  private async pull(waitSeconds: number, signal?: AbortSignal): Promise<QueueMessage[]> {
    const body = { maxMessages: BATCH_MAX };
    if (waitSeconds === 0) return messagesOf(await this.post('pull', { ...body, returnImmediately: true }, signal));
    const waited = AbortSignal.timeout(waitSeconds * 1_000);
    const ends = signal ? AbortSignal.any([signal, waited]) : waited;
    try {
      return messagesOf(await this.post('pull', body, ends, this.requests.timeoutMs + waitSeconds * 1_000));
    } catch (error) {
      if (waited.aborted && !signal?.aborted) return [];
      throw error;
    }
  }

  private async hide(messages: readonly QueueMessage[], seconds: number): Promise<void> {
    const ackIds = messages.map(({ receipt }) => receipt.handle);
    await this.post('modifyAckDeadline', { ackIds, ackDeadlineSeconds: seconds });
  }

  private async post(
    method: string,
    body: object,
    signal?: AbortSignal,
    timeoutMs = this.requests.timeoutMs,
  ): Promise<PullAnswer | null> {
    const { data } = await this.requests.json<PullAnswer | null>(`asking Pub/Sub to ${method}`, {
      method: 'POST',
      url: `${this.url}:${method}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
      timeoutMs,
    });
    return data;
  }
}

/** Throws StorageError unless the response is the documented one. It omits an empty list. */
function messagesOf(answer: PullAnswer | null): QueueMessage[] {
  const received = answer?.receivedMessages ?? [];
  if (typeof answer !== 'object' || !Array.isArray(received)) {
    throw new StorageError('invalid', 'pulling messages: the response is not one of Pub/Sub');
  }
  return received.flatMap(({ ackId, message }) =>
    ackId === undefined
      ? []
      : [
          {
            body: Buffer.from(message?.data ?? '', 'base64').toString(),
            attributes: message?.attributes ?? {},
            receipt: { handle: ackId },
          },
        ],
  );
}
