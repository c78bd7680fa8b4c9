// Azure Queue Storage: https://learn.microsoft.com/rest/api/storageservices/queue-service-rest-api
import type { TokenCredential } from '@azure/core-auth';
import { AnonymousCredential, QueueClient, StorageSharedKeyCredential } from '@azure/storage-queue';
import type { AzureSignIn } from '../azure/azure-client.js';
import { toStorageError } from '../azure/azure-errors.js';
import { REQUEST_TIMEOUT_DEFAULT_MS, withDeadline } from '../deadline.js';
import { agentFor, type HttpAgents } from '../http-agents.js';
import { inParallel } from '../in-parallel.js';
import type { ChangeQueue, QueueMessage, ReceiveOptions } from './change-queue.port.js';

export interface StorageQueueConfig {
  /** Base URL of the queue service of the account. */
  endpoint: string;
  queue: string;
  accountName: string;
  signIn: AzureSignIn;
  /** Agents that open the connections. */
  agents?: HttpAgents;
  requestTimeoutMs?: number;
}

/** The most that Azure allows. */
const BATCH_MAX = 32;
const DELETES_IN_FLIGHT = 8;
/** The message was deleted, or delivered again since. */
const GONE = new Set(['MessageNotFound', 'PopReceiptMismatch']);
const ATTEMPTS_MAX = 3;
const RETRY_DELAY_MS = 200;

/** Makes no request. */
export function openStorageQueue(config: StorageQueueConfig): ChangeQueue {
  return new StorageQueue(config);
}

class StorageQueue implements ChangeQueue {
  private readonly client: QueueClient;
  private readonly timeoutMs: number;

  constructor(config: StorageQueueConfig) {
    const { endpoint, queue, agents, requestTimeoutMs } = config;
    this.timeoutMs = requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    // The SDK passes unknown options to its HTTP pipeline, which supports this one.
    const agent = agents && { agent: agentFor(agents, new URL(endpoint)) };
    const retryOptions = { maxTries: ATTEMPTS_MAX, retryDelayInMs: RETRY_DELAY_MS };
    const { query = '', credential } = credentialOf(config);
    const url = `${endpoint}/${encodeURIComponent(queue)}${query}`;
    this.client = new QueueClient(url, credential, { retryOptions, ...agent });
  }

  /** Azure does not wait for messages. */
  async receive({ hiddenSeconds, signal }: ReceiveOptions): Promise<QueueMessage[]> {
    const { receivedMessageItems } = await this.run(
      'receiving messages',
      (abortSignal) =>
        this.client.receiveMessages({ numberOfMessages: BATCH_MAX, visibilityTimeout: hiddenSeconds, abortSignal }),
      signal,
    );
    return receivedMessageItems.map(({ messageText, messageId, popReceipt }) => ({
      body: messageText,
      attributes: {},
      receipt: { handle: popReceipt, messageId },
    }));
  }

  async delete(messages: readonly QueueMessage[]): Promise<void> {
    await inParallel(messages, DELETES_IN_FLIGHT, async ({ receipt: { messageId = '', handle } }) => {
      await this.run('deleting a message', (abortSignal) =>
        this.client.deleteMessage(messageId, handle, { abortSignal }).catch((error: unknown) => {
          if (!GONE.has((error as { code?: string }).code ?? '')) throw error;
        }),
      );
    });
  }

  async check(): Promise<void> {
    await this.run('checking the queue', (abortSignal) => this.client.peekMessages({ abortSignal }));
  }

  close(): void {
    // The caller owns the agents.
  }

  private run<T>(action: string, send: (abortSignal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withDeadline({ timeoutMs: this.timeoutMs, action, toError: toStorageError, signal }, send);
  }
}

function credentialOf({ accountName, signIn }: StorageQueueConfig): {
  query?: string;
  credential: TokenCredential | StorageSharedKeyCredential | AnonymousCredential;
} {
  if ('token' in signIn) return { credential: signIn.token };
  if ('accountKey' in signIn) return { credential: new StorageSharedKeyCredential(accountName, signIn.accountKey) };
  return { query: `?${signIn.sharedAccessSignature}`, credential: new AnonymousCredential() };
}
