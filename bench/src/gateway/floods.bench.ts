// What one tenant's flood costs another: GET /v1/files/{id} and searches of a second tenant, alternating within one run, closed loop: quiet,
// beside one caller that sends such requests one after the other, and beside the flood. The floods: 120 parallel batches of 1 MB, 150
// parallel searches of 250 words, 150 parallel lists that search for 40 words, 180 held uploads. Both tenants have thousands of chunks with
// those words. For comparison, first beside a process outside of Kiln that keeps one core busy. Fails if a p99 beside
// batches or searches is more than twice the quiet one, or a p99 beside any flood more than twice that beside the one caller.
// `npm run bench:floods [flood …]`
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { closedLoop } from '../closed-loop.js';
import { median } from '../median.js';
import { keyOfOtherOrganization } from '../other-organization.js';
import { storeFiles } from '../stored-files.js';
import { FLOOD_WORDS } from './flood-words.js';

const ROUNDS = 3;
const ROUND_MS = 8_000;
const CONNECTIONS = 4;
const RATIO_MAX = 2;
/** The floods whose p99 is also compared with the quiet one. */
const COMPARED_WITH_QUIET = new Set(['batches', 'searches']);
const FILES = 100;
const WORDS_PER_FILE = 8_000;
const FLOOD = fileURLToPath(new URL('flood.js', import.meta.url));

/** Resident memory of each process, in MiB. */
function memoryOf(system: RunningSystem): Record<string, number> {
  const of = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return Object.fromEntries(system.runJson().services.map(({ name, pid }) => [name, Math.round(of(pid))]));
}

interface Asked {
  flood: string;
  connections: number;
  /** What the other tenant asks for. */
  request: Buffer;
}

async function compare({ flood, connections, request }: Asked, system: RunningSystem): Promise<void> {
  const next = () => request;
  const p99Ms = async () => {
    const load = { url: system.baseUrl, connections: CONNECTIONS, milliseconds: ROUND_MS, next, status: 200 };
    return (await closedLoop(load)).p99Ms;
  };
  const beside = async (count: number) => {
    const child = spawn(process.execPath, [FLOOD, system.baseUrl, system.apiKey, flood, String(count)], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    const measured = await p99Ms();
    const memory = memoryOf(system);
    child.stdin.end();
    await ended;
    return { measured, memory };
  };
  await p99Ms();
  const ratios: { quiet: number; one: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await p99Ms();
    const { measured: one } = await beside(1);
    const { measured: many, memory } = await beside(connections);
    ratios.push({ quiet: many / quiet, one: many / one });
    const times = `${quiet.toFixed(1)} ms quiet, ${one.toFixed(1)} ms beside one, ${many.toFixed(1)} ms beside all`;
    console.log(`  p99 ${times}; MiB ${JSON.stringify(memory)}`);
  }
  const ofOne = median(ratios.map(({ one }) => one));
  const ofQuiet = median(ratios.map(({ quiet }) => quiet));
  if (ofOne > RATIO_MAX || (COMPARED_WITH_QUIET.has(flood) && ofQuiet > RATIO_MAX)) process.exitCode = 1;
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${flood}: p99 ${ofQuiet.toFixed(2)} of quiet, ${ofOne.toFixed(2)} of that beside one (load average ${load})`,
  );
}

function rawRequest(system: RunningSystem, key: string, line: string, body = ''): Buffer {
  const head = [line, `Host: ${new URL(system.baseUrl).host}`, `Authorization: ApiKey ${key}`];
  if (body !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Each chunk has some of the words that the floods ask for, and some have those of the other tenant's searches. */
function floodedFiles() {
  return Array.from({ length: FILES }, (_, file) => {
    const words = Array.from({ length: WORDS_PER_FILE }, (__, at) =>
      at % 300 === 0 ? 'termination notice' : FLOOD_WORDS[(at * at + file * 31 + at) % FLOOD_WORDS.length],
    );
    return { filename: `${file}.txt`, text: `${words.join(' ')}.` };
  });
}

const isAsked = (flood: string) => process.argv.length <= 2 || process.argv.slice(2).includes(flood);

async function main(): Promise<void> {
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const system = await startSystem({ environment: unlimited });
  try {
    const key = await keyOfOtherOrganization(system.dataDir);
    for (const apiKey of [system.apiKey, key]) await storeFiles({ baseUrl: system.baseUrl, apiKey }, floodedFiles());
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ filename: 'asked-for.txt' });
    const uploaded = await fetch(`${system.baseUrl}/v1/upload`, { method: 'POST', headers, body });
    const { id } = (await uploaded.json()) as { id: string };
    const get = rawRequest(system, key, `GET /v1/files/${id} HTTP/1.1`);
    const search = rawRequest(system, key, 'POST /v1/search HTTP/1.1', JSON.stringify({ query: 'termination notice' }));
    const asked: Asked[] = [
      { flood: 'busy', connections: 1, request: get },
      { flood: 'busy', connections: 1, request: search },
      { flood: 'batches', connections: 120, request: get },
      { flood: 'searches', connections: 150, request: search },
      { flood: 'lists', connections: 150, request: search },
      { flood: 'uploads', connections: 180, request: get },
    ];
    for (const one of asked) if (isAsked(one.flood)) await compare(one, system);
  } finally {
    await system.stop();
  }
}

await main();
