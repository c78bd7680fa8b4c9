// Sends requests to the worker thread. A thread that has died is replaced by an empty one at the next request.
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from './code-sets.thread.js';

interface Waiting {
  resolve: (answer: ThreadAnswer) => void;
  reject: (error: Error) => void;
}

type Message = { id: number; answer: ThreadAnswer } | { id: number; error: Error };

const THREAD = new URL('./code-sets.thread.js', import.meta.url);

export class CodeThread {
  private worker: Worker | null = null;
  private isClosed = false;
  private lastId = 0;
  private readonly waiting = new Map<number, Waiting>();

  /** `onLost` is called when the thread has died, with all its sets. */
  constructor(private readonly onLost: (error: Error) => void) {}

  ask(request: ThreadRequest, transfer: ArrayBuffer[] = []): Promise<ThreadAnswer> {
    if (this.isClosed) return Promise.reject(new Error('the thread is closed'));
    const worker = (this.worker ??= this.start());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, request }, transfer);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(THREAD);
    // The service decides when the process ends.
    worker.unref();
    let failure = new Error('the thread that holds vectors has ended');
    worker.on('message', (message: Message) => this.answerTo(message));
    worker.on('error', (error: Error) => (failure = error));
    worker.on('exit', () => this.lose(worker, failure));
    return worker;
  }

  private answerTo(message: Message): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('error' in message) waiting?.reject(message.error);
    else waiting?.resolve(message.answer);
  }

  private lose(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    if (!this.isClosed) this.onLost(error);
    for (const { reject } of waiting) reject(error);
  }
}
