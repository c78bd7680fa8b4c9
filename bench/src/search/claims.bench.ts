// How many questions are refused, through a whole Kiln without a chat model: the claims of a test collection that its documents answer, the
// same after all documents with evidence are deleted, and everyday questions. test-collection.ts describes the folder. Fails if more than 4 % of the answerable claims are refused.
// `npm run bench:claims FOLDER`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { storeFiles } from '../stored-files.js';
import { everydayQuestions } from './everyday-questions.js';
import { readTestCollection } from './test-collection.js';

const ANSWERABLE_REFUSED_MAX = 0.04;
const REFUSAL = 'The files do not contain an answer to this question.';
const CONNECTIONS = 4;

interface Refusals {
  refused: number;
  asked: number;
  /** Answered claims that cite a document with evidence. */
  evident: number;
  p50Ms: number;
}

const collection = readTestCollection(process.argv[2]);

const headersOf = ({ apiKey }: RunningSystem) => ({
  authorization: `ApiKey ${apiKey}`,
  'content-type': 'application/json',
});

async function ask(
  system: RunningSystem,
  questions: readonly string[],
  evidence: (question: string) => ReadonlySet<string> = () => new Set(),
): Promise<Refusals> {
  const times: number[] = [];
  let [refused, evident] = [0, 0];
  const queue = questions.values();
  const worker = async () => {
    for (const question of queue) {
      const startedAt = performance.now();
      const body = JSON.stringify({ question });
      const response = await fetch(`${system.baseUrl}/v1/qa`, { method: 'POST', headers: headersOf(system), body });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      const { answer, sources } = (await response.json()) as { answer: string; sources: { file_id: string }[] };
      times.push(performance.now() - startedAt);
      if (answer === REFUSAL) refused++;
      if (sources.some(({ file_id: id }) => evidence(question).has(id))) evident++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const p50Ms = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
  return { refused, asked: questions.length, evident, p50Ms };
}

function report(what: string, { refused, asked, evident, p50Ms }: Refusals): void {
  const share = ((100 * refused) / asked).toFixed(1);
  const cited = evident > 0 ? `, ${evident} cite a document with evidence` : '';
  console.log(`${what}: ${refused} of ${asked} refused (${share} %)${cited}, p50 ${p50Ms.toFixed(1)} ms`);
}

async function deleteFiles(system: RunningSystem, ids: ReadonlySet<string>): Promise<void> {
  for (const id of ids) {
    const { status } = await fetch(`${system.baseUrl}/v1/files/${id}`, {
      method: 'DELETE',
      headers: headersOf(system),
    });
    if (status !== 200) throw new Error(`a file was not deleted: ${status}`);
  }
}

async function measure(system: RunningSystem): Promise<void> {
  const ids = await storeFiles(system, collection.files);
  const idOf = new Map(collection.documents.map(({ id }, at) => [id, ids[at] ?? '']));
  const evidence = new Map(
    [...collection.evidence].map(([claim, documents]) => [
      claim,
      new Set([...documents].map((id) => idOf.get(id) ?? '')),
    ]),
  );
  const texts = [...evidence.keys()];
  const answerable = await ask(system, texts, (question) => evidence.get(question) ?? new Set());
  report('claims that a document answers', answerable);
  report('everyday questions', await ask(system, everydayQuestions));
  await deleteFiles(system, new Set([...evidence.values()].flatMap((each) => [...each])));
  report('claims without all documents that have evidence', await ask(system, texts));
  if (answerable.refused > ANSWERABLE_REFUSED_MAX * answerable.asked) process.exitCode = 1;
}

const system = await startSystem({
  environment: { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' },
});
try {
  await measure(system);
} finally {
  await system.stop();
}
