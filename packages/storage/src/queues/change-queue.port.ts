// A customer's queue, to which a bucket reports changes of objects. It delivers each message at least once, in any order.

export interface QueueMessage {
  body: string;
  /** Attributes of the message. Only Pub/Sub has them. */
  attributes: Readonly<Record<string, string>>;
  /** Identifies this delivery, for `delete`. */
  receipt: QueueReceipt;
}

export interface QueueReceipt {
  handle: string;
  /** Only at Azure. */
  messageId?: string;
}

export interface ReceiveOptions {
  /** How long to wait for a message. A queue that cannot wait answers at once. */
  waitSeconds: number;
  /** Messages that are not deleted within this time are delivered again. */
  hiddenSeconds: number;
  signal?: AbortSignal | undefined;
}

/** Every failure throws StorageError. */
export interface ChangeQueue {
  /** Receives a batch. Empty when there is no message. */
  receive(options: ReceiveOptions): Promise<QueueMessage[]>;
  /** Deletes messages. A failure leaves those that are not deleted for another delivery. */
  delete(messages: readonly QueueMessage[]): Promise<void>;
  /** Throws StorageError unless messages can be received. Takes none from the queue. */
  check(): Promise<void>;
  close(): void;
}
