// Callers that send one request after the other, each on a connection that it keeps, and repeat none. And uploads that wait in the middle.
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Target {
  baseUrl: string;
  apiKey: string;
}

export interface Answered {
  status: number;
  body: string;
}

interface Sent {
  method: string;
  path: string;
  contentType?: string;
  body?: string;
}

const PAUSE_MS = 100;
const BOUNDARY = 'boundary-of-the-load';

const answered = async (response: IncomingMessage): Promise<Answered> => ({
  status: response.statusCode ?? 0,
  body: await text(response),
});

function open(target: Target, { method, path, contentType }: Sent, options: RequestOptions) {
  const headers = {
    authorization: `ApiKey ${target.apiKey}`,
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  return request(new URL(path, target.baseUrl), { ...options, method, headers });
}

function send(target: Target, sent: Sent, agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = open(target, sent, { agent });
    outgoing.once('response', (response) => answered(response).then(resolve, reject));
    outgoing.once('error', reject);
    outgoing.end(sent.body);
  });
}

export const json = (method: string, path: string, body: unknown): Sent => ({
  method,
  path,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

const head = (filename: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const UPLOAD = { method: 'POST', path: '/v1/upload', contentType: `multipart/form-data; boundary=${BOUNDARY}` };

export const upload = (filename: string, content: string): Sent => ({
  ...UPLOAD,
  body: head(filename) + content + TAIL,
});

/** An upload whose bytes go on arriving, until `finish` sends the last of them. */
export function slowUpload(target: Target, filename: string) {
  const agent = new Agent({ keepAlive: true });
  const outgoing = open(target, UPLOAD, { agent });
  const answer = new Promise<Answered>((resolve, reject) => {
    outgoing.once('response', (response) => answered(response).then(resolve, reject));
    outgoing.once('error', reject);
  });
  answer.catch(() => undefined);
  outgoing.write(head(filename));
  const timer = setInterval(() => outgoing.write('The tide comes in slowly. '.repeat(400)), 100);
  const stop = () => clearInterval(timer);
  outgoing.once('close', stop);
  return {
    finish: async (): Promise<Answered> => {
      stop();
      outgoing.end(TAIL);
      try {
        return await answer;
      } finally {
        agent.destroy();
      }
    },
  };
}

export class SteadyLoad {
  readonly failures: string[] = [];
  private readonly counts = new Map<string, number>();
  private readonly callers: Promise<void>[] = [];
  private isOver = false;

  constructor(private readonly target: Target) {}

  /** Sends what `next` makes, until the load stops. Every answer must have this status. */
  add(
    name: string,
    status: number,
    next: (index: number) => Sent,
    onAnswer: (answer: Answered) => void = () => {},
  ): void {
    this.counts.set(name, 0);
    this.callers.push(this.run(name, status, next, onAnswer));
  }

  /** The answers so far of the caller with the fewest. */
  get fewest(): number {
    return Math.min(...this.counts.values());
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }

  private async run(
    name: string,
    status: number,
    next: (index: number) => Sent,
    onAnswer: (answer: Answered) => void,
  ): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; !this.isOver; index++) {
      const startedAt = performance.now();
      const answer = await send(this.target, next(index), agent).catch(String);
      if (typeof answer !== 'string' && answer.status === status) onAnswer(answer);
      else
        this.failures.push(
          `${name} ${index} after ${Math.round(performance.now() - startedAt)} ms: ${JSON.stringify(answer)}`,
        );
      this.counts.set(name, index + 1);
      await delay(PAUSE_MS);
    }
    agent.destroy();
  }
}
