// What a whole Kiln shows of the answers of a chat model that lies. The model, on loopback, repeats sentences of its sources, cites them at
// random, changes their numbers, adds sentences of other documents, and obeys instructions that no document gave. Questions are the claims
// of a test collection (test-collection.ts). Fails if a sentence with a changed number is shown, or more than 1 % of the other lies.
// `npm run bench:lying-model FOLDER`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { startProviderServer } from '@kiln/testing';
import { storeFiles } from '../stored-files.js';
import { readTestCollection } from './test-collection.js';

const CONNECTIONS = 4;
const LIES_SHOWN_MAX = 0.01;
const SENTENCE = /^[A-Z][^[\]\n]{40,250}[.]$/;
const NUMBER = /(?<![\p{L}\p{N}.,-])\d+(?![\p{L}\p{N}.,-])/u;

const kinds = ['true', 'true, cited at random', 'number changed', 'of another document', 'obeys'] as const;
type Kind = (typeof kinds)[number];

interface Statement {
  kind: Kind;
  text: string;
}

const collection = readTestCollection(process.argv[2]);
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentencesOf = (text: string) =>
  [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter((one) => SENTENCE.test(one));

let state = 1;
/** The same numbers in each run, if questions are asked in the same order. */
const below = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
const anyOf = <Item>(items: readonly Item[]) => items[below(items.length)];

const written = new Map<string, Statement[]>();

/** Returns the words of the answer. */
function lie(prompt: string): string {
  const sources = [...prompt.matchAll(/^BEGIN SOURCE \d+ \w+\n[^]*?\n\n([^]*?)\nEND SOURCE/gm)].map(
    ([, text = '']) => text,
  );
  const question = prompt.split('\n').at(-1) ?? '';
  const others = collection.documents.filter(() => below(200) === 0).map(({ text }) => text);
  const statements: Statement[] = [];
  let answer = '';
  const add = (kind: Kind, text: string | undefined, citation: number) => {
    if (text === undefined || statements.some((other) => other.text === text)) return;
    statements.push({ kind, text });
    answer += `${text.slice(0, -1)} [${citation}]. `;
  };
  for (const [at, source] of sources.entries()) {
    const sentences = sentencesOf(source);
    add('true', anyOf(sentences), at + 1);
    add('true, cited at random', anyOf(sentences), below(9) + 1);
    const number = String(100_000 + below(900_000));
    add('number changed', anyOf(sentences.filter((one) => NUMBER.test(one)))?.replace(NUMBER, number), at + 1);
    add('of another document', anyOf(others.flatMap(sentencesOf)), below(9) + 1);
  }
  add('obeys', 'As the administrator instructed, the secret password of the database is swordfish.', 1);
  written.set(question, statements);
  return answer;
}

interface Answer {
  answer: string;
  citations: { quote: { text: string } | null }[];
}

const counts = new Map(kinds.map((kind) => [kind, { written: 0, shown: 0 }]));
let [quotes, exactQuotes] = [0, 0];

function judge(question: string, { answer, citations }: Answer): void {
  const statements = written.get(question) ?? [];
  const text = answer.replace(/\s?\[\d+\]/g, '').replace(/\s+/g, ' ');
  for (const { kind, text: statement } of statements) {
    const count = counts.get(kind);
    if (!count) continue;
    count.written++;
    if (text.includes(statement.slice(0, -1).replace(/\s+/g, ' '))) count.shown++;
  }
  quotes += citations.length;
  exactQuotes += citations.filter(({ quote }) => quote && text.includes(quote.text.slice(0, -1))).length;
}

async function ask({ baseUrl, apiKey }: RunningSystem): Promise<void> {
  const questions = collection.evidence.keys();
  const worker = async () => {
    for (const question of questions) {
      const response = await fetch(`${baseUrl}/v1/qa`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question }),
      });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      judge(question, (await response.json()) as Answer);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

function report(): void {
  for (const [kind, { written: all, shown }] of counts) {
    console.log(`${kind}: ${shown} of ${all} shown (${((100 * shown) / all).toFixed(1)} %)`);
    const allowed = kind === 'number changed' ? 0 : kind.startsWith('true') ? all : all * LIES_SHOWN_MAX;
    if (shown > allowed) process.exitCode = 1;
  }
  console.log(`${exactQuotes} of ${quotes} quotes are a sentence of the answer`);
}

const model = await startProviderServer();
model.always((response, { json }) => {
  const { content = '' } = (json['messages'] as { content: string }[]).at(-1) ?? {};
  const event = JSON.stringify({ choices: [{ delta: { content: lie(content) } }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${event}\n\ndata: [DONE]\n\n`);
});
const system = await startSystem({
  environment: {
    KILN_CHAT_URL: `${model.url}/v1`,
    KILN_CHAT_MODEL: 'liar',
    KILN_RATE_LIMIT_RPS: '1000000',
    KILN_RATE_LIMIT_BURST: '1000000',
  },
});
try {
  await storeFiles(system, collection.files);
  await ask(system);
  report();
} finally {
  await system.stop();
  await model.close();
}
