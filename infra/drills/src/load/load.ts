/** Callers that use the system steadily: each upload is repeated under its Idempotency-Key until it is accepted. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.js';
import { kinds, type Kind } from './observation.js';
import type { Receiver } from './receiver.js';

const CALLERS = { upload: 2, read: 2, search: 1 } as const satisfies Record<Kind, number>;
const PAUSE_MS = 200;
/** Its variants are too large to be kept in rows. */
const LARGE_EVERY = 4;
const FILLER = 'All ships pass the harbour at noon.\n\n'.repeat(2_000);

export interface Accepted {
  readonly id: string;
  readonly jobId: string;
  /** A word that no other file has. */
  readonly word: string;
  /** By `performance.now()`. */
  readonly at: number;
}

export class Load {
  readonly accepted: Accepted[] = [];
  private readonly running: Promise<void>[] = [];
  private begun = 0;
  private isStopping = false;
  private hasGivenUp = false;

  constructor(
    private readonly client: Client,
    private readonly receiver: Receiver,
  ) {}

  start(): void {
    const call = { upload: () => this.upload(), read: () => this.read(), search: () => this.search() };
    for (const kind of kinds) {
      for (let caller = 0; caller < CALLERS[kind]; caller++) this.running.push(this.repeat(call[kind]));
    }
  }

  /** No upload is repeated any more. */
  giveUp(): void {
    this.hasGivenUp = true;
  }

  /** Each upload that has begun ends accepted. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  /** The requests of each kind that were served since then. */
  servedSince(at: number): Record<Kind, number> {
    const counts = { upload: 0, read: 0, search: 0 };
    for (const { kind, startedAt, isServed } of this.client.observations)
      if (isServed && startedAt >= at) counts[kind] += 1;
    return counts;
  }

  private async repeat(call: () => Promise<unknown>): Promise<void> {
    while (!this.isStopping) {
      await call();
      await delay(PAUSE_MS);
    }
  }

  private async upload(): Promise<void> {
    const word = randomWord();
    this.begun += 1;
    const line = `The keeper writes ${word} into the log of the lighthouse.\n`;
    const text = `# Report\n\n${line}${this.begun % LARGE_EVERY === 0 ? FILLER : ''}`;
    const request = () => {
      const form = new FormData();
      form.set('file', new Blob([text]), `${word}.md`);
      return this.client.send('POST', '/v1/upload', form, { 'idempotency-key': word });
    };
    while (!this.hasGivenUp) {
      const answer = await this.client.observe('upload', request, ({ status }) => status === 201);
      if (answer) {
        const { id, job_id: jobId } = answer.body as { id: string; job_id: string };
        this.accepted.push({ id, jobId, word, at: performance.now() });
        return;
      }
      await delay(PAUSE_MS);
    }
  }

  private async read(): Promise<void> {
    const file = anyOf(this.accepted);
    if (!file) return;
    const request = () => this.client.send('GET', `/v1/files/${file.id}`);
    await this.client.observe('read', request, ({ body }) => (body as { id: string }).id === file.id);
  }

  /** A file whose completion was announced is found. */
  private async search(): Promise<void> {
    const file = anyOf(this.accepted.filter(({ id }) => this.receiver.events.has(id)));
    if (!file) return;
    const request = () => this.client.send('POST', '/v1/search', { query: file.word });
    const isFound = (body: unknown) =>
      (body as { results: { file_id: string }[] }).results.some((result) => result.file_id === file.id);
    await this.client.observe('search', request, ({ body }) => isFound(body));
  }
}

/** Letters only: search takes letters and digits apart. */
const randomWord = (): string => [...randomBytes(16)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

const anyOf = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
