// Amazon SQS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference
import type { S3Client } from '@aws-sdk/client-s3';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { REQUEST_TIMEOUT_DEFAULT_MS, withDeadline } from '../deadline.js';
import { limitAnswers } from '../s3/s3-answer-limit.js';
import type { S3ClientConfig } from '../s3/s3-client.js';
import { toStorageError } from '../s3/s3-errors.js';
import { keepRetryAfter } from '../s3/s3-retry-after.js';
import { StorageError } from '../storage.errors.js';
import type { ChangeQueue, QueueMessage, ReceiveOptions } from './change-queue.port.js';

export interface SqsQueueConfig extends Pick<S3ClientConfig, 'credentials' | 'agents' | 'requestTimeoutMs'> {
  queueUrl: string;
  region: string;
}

/** The most that SQS allows. */
const BATCH_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/** Makes no request. */
export function openSqsQueue(config: SqsQueueConfig): ChangeQueue {
  return new SqsQueue(config);
}

class SqsQueue implements ChangeQueue {
  private readonly client: SQSClient;
  private readonly url: string;
  private readonly timeoutMs: number;

  constructor({ queueUrl, region, credentials, agents, requestTimeoutMs }: SqsQueueConfig) {
    this.url = queueUrl;
    this.timeoutMs = requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    this.client = new SQSClient({
      region,
      endpoint: new URL(queueUrl).origin,
      credentials,
      maxAttempts: 3,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        ...(agents && { httpAgent: agents.http, httpsAgent: agents.https }),
      },
    });
    // The middleware is the same for every service of AWS.
    const client = this.client as unknown as S3Client;
    limitAnswers(client);
    keepRetryAfter(client);
  }

  async receive({ waitSeconds, hiddenSeconds, signal }: ReceiveOptions): Promise<QueueMessage[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.url,
      MaxNumberOfMessages: BATCH_MAX,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: hiddenSeconds,
    });
    const options = { signal, timeoutMs: this.timeoutMs + waitSeconds * 1_000 };
    const send = (abortSignal: AbortSignal) => this.client.send(command, { abortSignal });
    const { Messages = [] } = await this.run('receiving messages', send, options);
    return Messages.map(({ Body = '', ReceiptHandle = '' }) => ({
      body: Body,
      attributes: {},
      receipt: { handle: ReceiptHandle },
    }));
  }

  async delete(messages: readonly QueueMessage[]): Promise<void> {
    for (let at = 0; at < messages.length; at += BATCH_MAX) await this.deleteBatch(messages.slice(at, at + BATCH_MAX));
  }

  private async deleteBatch(messages: readonly QueueMessage[]): Promise<void> {
    const Entries = messages.map(({ receipt }, at) => ({ Id: String(at), ReceiptHandle: receipt.handle }));
    const command = new DeleteMessageBatchCommand({ QueueUrl: this.url, Entries });
    const { Failed = [] } = await this.run('deleting messages', (abortSignal) =>
      this.client.send(command, { abortSignal }),
    );
    const [failed] = Failed;
    if (failed === undefined) return;
    const message = `deleting messages: ${failed.Code ?? 'failure'}: ${failed.Message ?? `${Failed.length} were kept`}`;
    throw new StorageError('unavailable', message, { retryable: true });
  }

  /** A received message is visible again at once. */
  async check(): Promise<void> {
    const command = new ReceiveMessageCommand({ QueueUrl: this.url, MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
    await this.run('checking the queue', (abortSignal) => this.client.send(command, { abortSignal }));
  }

  close(): void {
    this.client.destroy();
  }

  private run<T>(
    action: string,
    send: (abortSignal: AbortSignal) => Promise<T>,
    options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
  ): Promise<T> {
    return withDeadline({ timeoutMs: this.timeoutMs, action, toError: toQueueError, ...options }, send);
  }
}

/** The names are those of the query protocol, and of the JSON protocol. */
const MISSING = new Set(['AWS.SimpleQueueService.NonExistentQueue', 'QueueDoesNotExist']);
const THROTTLED = new Set(['RequestThrottled', 'OverLimit', 'ThrottlingException']);

function toQueueError(error: unknown, action: string): StorageError {
  const { name = '', message = '' } = (error ?? {}) as { name?: string; message?: string };
  if (MISSING.has(name)) return new StorageError('not_found', `${action}: ${message}`, { cause: error });
  if (!THROTTLED.has(name)) return toStorageError(error, action);
  return new StorageError('unavailable', `${action}: ${message}`, { cause: error, retryable: true });
}
