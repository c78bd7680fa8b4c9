// The time from a question to the first streamed statement of its answer, through a whole Kiln: without a chat model, and with a model on
// loopback that answers at once. For comparison, the same run asks that model directly, and searches for the same words. `pnpm
// bench:answers [files]`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { startProviderServer, type ProviderServer } from '@kiln/testing';
import { loadavg } from 'node:os';
import { storeFiles, type StoredFile } from '../stored-files.js';

const FILES = Number(process.argv[2] ?? 200);
const PARAGRAPHS = 20;
const WORDS_PER_PARAGRAPH = 60;
/** The size of the vocabulary. Words have a Zipf-like distribution. */
const WORDS = 5_000;
const QUESTION_WORDS = 6;
const ROUNDS = 2;
const QUESTIONS = 150;
const CONNECTIONS = [1, 16] as const;
const STATEMENTS = 4;
const STATEMENT_WORDS = 15;

/** Begins with any letter, as words do. */
const vocabulary = Array.from({ length: WORDS }, (_, rank) =>
  ((rank + 1) * 2_654_435_761).toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'a'),
);
const randomWord = () => vocabulary[Math.floor(WORDS ** Math.random()) % WORDS] ?? 'word';
const words = (count: number) => Array.from({ length: count }, randomWord).join(' ');
const paragraphs: string[] = [];
/** Words that follow each other in one of the files. A question of other words would be refused without asking a model. */
function questionWords(): string {
  const paragraph = paragraphs[Math.floor(Math.random() * paragraphs.length)]?.split(' ') ?? [];
  const from = Math.floor(Math.random() * (paragraph.length - QUESTION_WORDS));
  return paragraph.slice(from, from + QUESTION_WORDS).join(' ');
}

function generatedFiles(): StoredFile[] {
  return Array.from({ length: FILES }, (_, at) => {
    const own = Array.from({ length: PARAGRAPHS }, () => words(WORDS_PER_PARAGRAPH));
    paragraphs.push(...own);
    return { filename: `file-${at}.txt`, text: own.map((paragraph) => `${paragraph}.`).join('\n\n') };
  });
}

/** Milliseconds until the first bytes that contain `mark`. Reads the rest. */
async function firstWord(url: string, init: RequestInit, mark: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { method: 'POST', ...init });
  let first = Number.NaN;
  let text = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    if (Number.isNaN(first)) text += Buffer.from(bytes).toString();
    if (Number.isNaN(first) && text.includes(mark)) first = performance.now() - startedAt;
  }
  if (Number.isNaN(first)) throw new Error(`${response.status}: ${text}`);
  return first;
}

async function measure(ask: () => Promise<number>, connections: number): Promise<number[]> {
  const times: number[] = [];
  let left = QUESTIONS;
  const worker = async () => {
    while (left-- > 0) times.push(await ask());
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return times;
}

async function compare(title: string, asks: Record<string, () => Promise<number>>): Promise<void> {
  for (const connections of CONNECTIONS) {
    const times = Object.fromEntries(Object.keys(asks).map((name): [string, number[]] => [name, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, ask] of Object.entries(asks)) {
        const measured = await measure(ask, connections);
        // The first round is for warm-up.
        if (round > 0) times[name]?.push(...measured);
      }
    }
    for (const [name, all] of Object.entries(times)) {
      const sorted = all.toSorted((one, other) => one - other);
      const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
      console.log(`${title}, ${connections} connections, ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    }
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}

function asksOf({ baseUrl, apiKey }: RunningSystem) {
  const post = (path: string, body: object, mark: string) =>
    firstWord(
      `${baseUrl}${path}`,
      {
        headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      mark,
    );
  return {
    search: () => post('/v1/search', { query: questionWords(), mode: 'text', limit: 5 }, '"results"'),
    'first statement of an answer': () => post('/v1/qa', { question: questionWords(), stream: true }, '"chunk"'),
  };
}

async function withSystem(environment: Record<string, string>, run: (system: RunningSystem) => Promise<void>) {
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const system = await startSystem({ environment: { ...unlimited, ...environment } });
  try {
    await storeFiles(system, generatedFiles());
    await run(system);
  } finally {
    await system.stop();
  }
}

/** The model repeats words of its first source, because statements that no source supports are left out. */
function answerAtOnce(model: ProviderServer): void {
  model.always((response, { json }) => {
    const { content = '' } = (json['messages'] as { content: string }[]).at(-1) ?? {};
    const [, text = content] = /\n\n(.*)/.exec(content) ?? [];
    const statements = Array.from({ length: STATEMENTS }, (_, at) => wordsFrom(text, at * STATEMENT_WORDS));
    const events = [...statements.flatMap((words) => [...words, '[1]. ']), 'Done'].map((word) => ({
      choices: [{ delta: { content: `${word} ` } }],
    }));
    const body = [...events.map((event) => JSON.stringify(event)), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join('');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
  });
}

function wordsFrom(text: string, from: number): string[] {
  const [first = '', ...others] = text.split(' ').slice(from, from + STATEMENT_WORDS);
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others];
}

async function main(): Promise<void> {
  await withSystem({}, (system) => compare(`${FILES} files, quoted sentences`, asksOf(system)));
  const model = await startProviderServer();
  answerAtOnce(model);
  const direct = () => {
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: words(2_000) }] });
    return firstWord(
      `${model.url}/v1/chat/completions`,
      { headers: { 'content-type': 'application/json' }, body },
      'delta',
    );
  };
  const environment = { KILN_CHAT_URL: `${model.url}/v1`, KILN_CHAT_MODEL: 'm', KILN_CHAT_CONCURRENCY: '64' };
  await withSystem(environment, (system) =>
    compare(`${FILES} files, chat model`, { 'the model alone': direct, ...asksOf(system) }),
  );
  await model.close();
}

await main();
