// Searches for phrases of two words in one tenant of 10,000 and of 100,000 passages, beside searches for the same words without quotes. The
// words are next to each other in the text of one passage. The last line is the worst case: the two most frequent words, whose phrase
// occurs nowhere, so that all texts that a search may read are read.
// `npm run bench:phrases [passages …]`
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { RankStore } from '@kiln/search/text-index/rank.store';
import { loadavg } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { addFileRows, BlockLoader } from './block-index.js';
import { generateFiles, PASSAGES_PER_FILE, randomNumbers, type GeneratedPassage } from './generated-files.js';
import { measure } from './measure.js';
import { openDatabase } from './open-database.js';

const LIMIT = 20;
const FREQUENT = ['w20', 'w21'];

const wordsOf = ({ repeats }: GeneratedPassage) => [...repeats].flatMap(([term, count]) => Array(count).fill(term));

async function oneTenant(passages: number): Promise<void> {
  const { client, database, close } = await openDatabase();
  const tenantId = uuidv7();
  const ids = Array.from({ length: passages / PASSAGES_PER_FILE }, () => uuidv7());
  const loader = new BlockLoader(client, tenantId);
  const texts: string[][][] = [];
  for (const file of generateFiles(passages, 1)) {
    await loader.add(file);
    texts.push(file.chunks.map(wordsOf));
  }
  await loader.finish();
  const bodies = texts.map((chunks) => chunks.map((words) => words.join(' ')));
  await addFileRows(client, tenantId, ids, true, bodies);
  await client.query('vacuum analyze');
  await database.ping();
  const store = new RankStore(database, new PostingsMemory(100_663_296));
  const pairOf = (query: number) => {
    const random = randomNumbers(query);
    const chunk = texts[Math.floor(random() * texts.length)]?.[0] ?? [];
    const start = Math.floor(random() * (chunk.length - 1));
    return chunk.slice(start, start + 2).join(' ');
  };
  const kinds: [string, (query: number) => string][] = [
    ['two words', pairOf],
    ['their phrase', (query) => `"${pairOf(query)}"`],
    ['the most frequent words', () => FREQUENT.join(' ')],
    ['their phrase, nowhere', () => `"${FREQUENT.toReversed().join(' ')} ${FREQUENT.join(' ')}"`],
  ];
  for (const [title, query] of kinds) {
    const { p50, p99, nodeCpu, postgresCpu } = await measure(client, (n) =>
      store.rank(tenantId, query(n), [], { limit: LIMIT }),
    );
    const cells = [p50, p99, nodeCpu, postgresCpu].map((value) => value.toFixed(1).padStart(7));
    console.log(
      `${passages.toLocaleString('en')}, ${title.padEnd(25)} p50 ${cells[0]} p99 ${cells[1]} cpu node ${cells[2]} postgres ${cells[3]}`,
    );
  }
  await close();
}

console.log(`load average ${loadavg()[0]?.toFixed(1)}; milliseconds`);
const chosen = process.argv.slice(2).map(Number);
for (const passages of chosen.length > 0 ? chosen : [10_000, 100_000]) await oneTenant(passages);
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
process.exit();
