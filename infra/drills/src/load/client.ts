/** Requests as a caller sends them: each has a deadline, and failures are values. */
import { isDeepStrictEqual } from 'node:util';
import type { Kind, Observation } from './observation.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const DEADLINE_MS = 60_000;

export class Client {
  readonly observations: Observation[] = [];

  constructor(
    readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** Throws if there is no answer. */
  async send(method: string, path: string, body?: FormData | object, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `ApiKey ${this.apiKey}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: response.status, body: parse(await response.text()) };
  }

  /** The answer if the request was served: a success for which `isRight` holds. Null otherwise. */
  async observe(
    kind: Kind,
    request: () => Promise<Answer>,
    isRight: (answer: Answer) => boolean,
  ): Promise<Answer | null> {
    const startedAt = performance.now();
    let answer: Answer | null = null;
    let outcome: string;
    try {
      answer = await request();
      outcome = describe(answer);
    } catch (error) {
      outcome = reasonOf(error);
    }
    const isSuccess = answer !== null && answer.status < 300;
    const isServed = answer !== null && isSuccess && isRight(answer);
    if (isSuccess && !isServed) outcome += ' with a wrong answer';
    this.observations.push({ kind, startedAt, endedAt: performance.now(), outcome, isServed });
    return isServed ? answer : null;
  }

  /** All items of a paged list. */
  async list<Item>(path: string, name: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor: string | null = null; ;) {
      const query: string = `limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { status, body } = await this.send('GET', `${path}?${query}`);
      if (status !== 200) throw new Error(`GET ${path} answered ${describe({ status, body })}`);
      const page = body as Record<string, Item[]> & { next_cursor: string | null };
      items.push(...(page[name] ?? []));
      if (page.next_cursor === null || isDeepStrictEqual(page.next_cursor, cursor)) return items;
      cursor = page.next_cursor;
    }
  }
}

export function describe({ status, body }: Answer): string {
  const { code } = (body ?? {}) as { code?: string };
  return code === undefined ? String(status) : `${status} ${code}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${DEADLINE_MS / 1_000} s`;
  const { code } = ((error instanceof Error ? error.cause : undefined) as { code?: string }) ?? {};
  return `no answer (${code ?? 'connection lost'})`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
