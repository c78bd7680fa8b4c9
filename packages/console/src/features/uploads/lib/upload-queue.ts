// Sends many files, a few at a time. It can be paused, and failed files sent again.
import { errorText } from '../../../api/error-text.js';
import { Store } from '../../../api/store.js';

export interface QueuedFile {
  id: number;
  /** All attempts to send the file use this idempotency key. */
  key: string;
  name: string;
  /** Within the chosen folder; equal to `name` for single files. */
  path: string;
  sizeBytes: number;
  sentBytes: number;
  state: 'waiting' | 'sending' | 'stored' | 'failed';
  error: string | null;
  blob: Blob;
  space: string | null;
}

export interface NewFile {
  blob: Blob;
  name: string;
  path: string;
}

export type Send = (file: QueuedFile, onSent: (bytes: number) => void, signal: AbortSignal) => Promise<unknown>;

export interface QueueState {
  files: readonly Readonly<QueuedFile>[];
  isPaused: boolean;
  counts: Readonly<Record<QueuedFile['state'], number>>;
  sentBytes: number;
  totalBytes: number;
}

const CONCURRENT_MAX = 4;

export class UploadQueue {
  #files: QueuedFile[] = [];
  #isPaused = false;
  #nextId = 1;
  #controller = new AbortController();
  /** The prefix of all keys. Pages without https have no `randomUUID`. */
  readonly #keys = crypto.getRandomValues(new Uint32Array(4)).join('-');
  readonly state = new Store<QueueState>(stateOf([], false));

  constructor(
    private readonly send: Send,
    /** Called when no file waits or is being sent. */
    private readonly onIdle: (state: QueueState) => void,
  ) {}

  add(files: readonly NewFile[], space: string | null): void {
    if (this.#isDone()) this.#files = [];
    for (const file of files) {
      this.#files.push({
        ...file,
        id: this.#nextId,
        key: `${this.#keys}-${this.#nextId}`,
        sizeBytes: file.blob.size,
        sentBytes: 0,
        state: 'waiting',
        error: null,
        space,
      });
      this.#nextId += 1;
    }
    this.#continue();
  }

  /** Files that are being sent are sent to their end. */
  pause(): void {
    this.#isPaused = true;
    this.#changed();
  }

  resume(): void {
    this.#isPaused = false;
    this.#continue();
  }

  retryFailed(): void {
    for (const file of this.#files) {
      if (file.state === 'failed') Object.assign(file, { state: 'waiting', sentBytes: 0, error: null });
    }
    this.#continue();
  }

  /** Ends everything and empties the list. Files that are stored stay stored. */
  clear(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#files = [];
    this.#isPaused = false;
    this.#changed();
  }

  #isDone(): boolean {
    return this.#files.every(({ state }) => state === 'stored' || state === 'failed');
  }

  #continue(): void {
    const sending = this.#files.filter(({ state }) => state === 'sending').length;
    const next = this.#isPaused ? [] : this.#files.filter(({ state }) => state === 'waiting');
    for (const file of next.slice(0, CONCURRENT_MAX - sending)) void this.#run(file);
    this.#changed();
  }

  async #run(file: QueuedFile): Promise<void> {
    const { signal } = this.#controller;
    file.state = 'sending';
    const onSent = (bytes: number) => {
      file.sentBytes = Math.min(bytes, file.sizeBytes);
      this.#changed();
    };
    try {
      await this.send(file, onSent, signal);
      Object.assign(file, { state: 'stored', sentBytes: file.sizeBytes });
    } catch (error) {
      Object.assign(file, { state: 'failed', error: errorText(error).detail });
    }
    if (signal.aborted) return;
    const isDone = this.#isDone();
    // The pause ends with the files that were paused.
    if (isDone) this.#isPaused = false;
    this.#continue();
    if (isDone) this.onIdle(this.state.get());
  }

  #changed(): void {
    this.state.set(stateOf(this.#files, this.#isPaused));
  }
}

function stateOf(files: readonly QueuedFile[], isPaused: boolean): QueueState {
  const counts = { waiting: 0, sending: 0, stored: 0, failed: 0 };
  let sentBytes = 0;
  let totalBytes = 0;
  for (const file of files) {
    counts[file.state] += 1;
    sentBytes += file.sentBytes;
    totalBytes += file.sizeBytes;
  }
  return { files: [...files], isPaused, counts, sentBytes, totalBytes };
}
