// Searches before, during and after a purge, in one run. `npm run bench:purge [passages]`
import { loadavg } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { addFileRows, BlockLoader } from './block-index.js';
import { generateFiles, PASSAGES_PER_FILE } from './generated-files.js';
import { openDatabase } from './open-database.js';
import { searchDuringPurge, type Times } from './searches-during-purge.js';

const passages = Number(process.argv[2] ?? 100_000);
const { client, database, close } = await openDatabase();
const tenantId = uuidv7();
const loader = new BlockLoader(client, tenantId);
for (const file of generateFiles(passages, 1)) await loader.add(file);
await loader.finish();
const ids = Array.from({ length: passages / PASSAGES_PER_FILE }, () => uuidv7());
await addFileRows(client, tenantId, ids, true);
await client.query('vacuum analyze');
await database.ping();

const { before, during, after, removed } = await searchDuringPurge(client, database, tenantId);
const line = (name: string, { searches, p50, p95 }: Times) =>
  `${name}: ${searches} searches, p50 ${p50.toFixed(1)} ms (${(p50 / before.p50).toFixed(2)} ×), p95 ${p95.toFixed(1)} ms`;
console.log(`${passages.toLocaleString('en')} passages, load average ${loadavg()[0]?.toFixed(1)}`);
console.log(`files removed before the purge ${removed[0]}, during the purge ${removed[1]}`);
console.log([line('before', before), line('during', during), line('after', after)].join('\n'));
await close();
process.exit();
