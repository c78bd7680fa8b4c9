// The main bench: from a multipart upload until the file is completed, searchable, and its webhook delivered, with the CPU time of
// every process, Postgres, NATS, Redis and the object store. In the same run, one bare Node process does the same work for one
// tenant without a queue.
// `npm run bench:pipeline`
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';
import { extractBarely } from './bare-extraction.js';
import { startBare } from './bare-side.js';
import { markdownDocument, mixedDocuments, pdfDocument } from './documents.js';
import { startKiln, type KilnSide } from './kiln-side.js';
import { measure, quantile, uploadAll, type Measured, type Side } from './measure.js';

const SMALL_BYTES = 2_000;
const SMALL_FILES = 1_000;
const WARM_FILES = 300;
const CONNECTIONS = 16;
const ROUNDS = 3;
const BACKLOG_FILES = 2_000;
const IDLE_FILES = 40;
const IDLE_PAUSE_MS = 150;
/** After a start, V8 and Postgres still clean up for about a minute. */
const STARTED_SECONDS = 60;
const REST_SECONDS = 30;
const PDF_PAGES = [200, 800];
const PDF_ROUNDS = 5;

const small = (count: number) => Array.from({ length: count }, () => markdownDocument(SMALL_BYTES));

function show(name: string, { files, filesPerSecond, uploadsPerSecond, cpuMsPerFile, p50Ms, p99Ms }: Measured): void {
  console.log(
    `${name}: ${files} files, ${filesPerSecond.toFixed(1)} files/s, uploads ${uploadsPerSecond.toFixed(0)}/s, ` +
      `CPU ${cpuMsPerFile.toFixed(1)} ms/file, upload to webhook p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
  );
}

async function smallFiles(kiln: KilnSide, bare: Side): Promise<void> {
  for (const side of [kiln, bare]) await measure(side, small(WARM_FILES), CONNECTIONS);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const documents = small(SMALL_FILES);
    const before = await kiln.databaseWork();
    const ours = await measure(kiln, documents, CONNECTIONS);
    const after = await kiln.databaseWork();
    for (const document of documents.filter((_, index) => index % 100 === 0)) await kiln.assertFound(document);
    const theirs = await measure(bare, small(SMALL_FILES), CONNECTIONS);
    ratios.push(ours.filesPerSecond / theirs.filesPerSecond);
    show('small, Kiln', ours);
    show('small, bare', theirs);
    const perFile = (key: 'commits' | 'rowChanges') => ((after[key] - before[key]) / SMALL_FILES).toFixed(1);
    console.log(`  per file: ${perFile('commits')} commits, ${perFile('rowChanges')} row changes`);
  }
  console.log(`small: ${median(ratios).toFixed(3)} of the baseline (median of ${ROUNDS} rounds)`);
}

/** Stores files while no worker runs, then measures until the last webhook, with concurrent uploads. */
async function drain(kiln: KilnSide): Promise<void> {
  kiln.signalWorker('SIGSTOP');
  const backlog = await uploadAll(kiln, small(BACKLOG_FILES), CONNECTIONS);
  kiln.signalWorker('SIGCONT');
  const startedAt = performance.now();
  const beside = measure(kiln, small(SMALL_FILES), CONNECTIONS);
  const arrivals = await Promise.all(backlog.map(({ id }) => kiln.deliveries.arrival(id)));
  const seconds = (Math.max(...arrivals) - startedAt) / 1_000;
  console.log(`backlog of ${BACKLOG_FILES}: ${(BACKLOG_FILES / seconds).toFixed(1)} files/s with uploads beside it`);
  show('  uploads beside the backlog', await beside);
}

/** Times from upload to webhook of single files, one after the other, while `goesOn` is true. */
async function oneByOne(side: Side, goesOn: (done: number) => boolean): Promise<number[]> {
  const took: number[] = [];
  while (goesOn(took.length)) {
    await delay(IDLE_PAUSE_MS);
    const [uploaded] = await uploadAll(side, small(1), 1);
    if (uploaded) took.push((await side.deliveries.arrival(uploaded.id)) - uploaded.sentAt);
  }
  return took;
}

async function idle(side: Side): Promise<number> {
  const took = await oneByOne(side, (done) => done < IDLE_FILES);
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
  console.log(`idle: upload to webhook p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
  return p50;
}

/** Single files of one tenant while the backlog of another drains. */
async function fairness(kiln: KilnSide): Promise<void> {
  const other = await kiln.otherTenant();
  const alone = await idle(other);
  kiln.signalWorker('SIGSTOP');
  const backlog = await uploadAll(kiln, small(BACKLOG_FILES), CONNECTIONS);
  kiln.signalWorker('SIGCONT');
  let isDrained = false;
  const drained = Promise.all(backlog.map(({ id }) => kiln.deliveries.arrival(id))).then(() => (isDrained = true));
  const took = await oneByOne(other, () => !isDrained);
  await drained;
  const beside = quantile(took, 0.5);
  console.log(
    `one tenant's file beside ${BACKLOG_FILES} of another: p50 ${beside.toFixed(0)} ms, p99 ` +
      `${quantile(took, 0.99).toFixed(0)} ms, ${(beside / alone).toFixed(2)} of its idle time (${took.length} files)`,
  );
}

/** One PDF at a time. What the larger one takes beyond the smaller one is the time per byte; the rest is the same for every file. */
async function largePdfs(kiln: KilnSide): Promise<void> {
  await extractBarely(await pdfDocument(2));
  const rounds: { kilnMs: number; bareMs: number }[][] = [];
  for (let round = 0; round < PDF_ROUNDS; round++) {
    const times = [];
    for (const pages of PDF_PAGES) {
      const document = await pdfDocument(pages);
      const bareMs = await extractBarely(document);
      times.push({ kilnMs: (await measure(kiln, [document], 1)).p50Ms, bareMs });
    }
    rounds.push(times);
  }
  for (const [index, pages] of PDF_PAGES.entries()) {
    const of = (side: 'kilnMs' | 'bareMs') => median(rounds.map((times) => times[index]?.[side] ?? Number.NaN));
    console.log(
      `PDF of ${pages} pages: upload to webhook ${of('kilnMs').toFixed(0)} ms, bare extraction ${of('bareMs').toFixed(0)} ms, ` +
        `ratio ${(of('kilnMs') / of('bareMs')).toFixed(2)} (medians of ${PDF_ROUNDS})`,
    );
  }
  const added = (side: 'kilnMs' | 'bareMs') =>
    median(rounds.map((times) => (times.at(-1)?.[side] ?? Number.NaN) - (times[0]?.[side] ?? Number.NaN)));
  console.log(`  time per byte: ${(added('kilnMs') / added('bareMs')).toFixed(2)} of bare extraction`);
}

async function atRest(kiln: KilnSide): Promise<void> {
  await delay(STARTED_SECONDS * 1_000);
  const [cpuBefore, workBefore] = [cpuSeconds(kiln.pids), await kiln.databaseWork()];
  await delay(REST_SECONDS * 1_000);
  const share = (cpuSeconds(kiln.pids) - cpuBefore) / REST_SECONDS;
  const commits = ((await kiln.databaseWork()).commits - workBefore.commits) / REST_SECONDS;
  console.log(`at rest: ${(share * 100).toFixed(1)} % of a core, ${commits.toFixed(1)} commits/s`);
}

async function main(): Promise<void> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  const bare = await startBare();
  try {
    const kiln = await startKiln();
    try {
      await atRest(kiln);
      await smallFiles(kiln, bare);
      await idle(kiln);
      show('mix of 1 KB to 5 MB, Kiln', await measure(kiln, mixedDocuments(), CONNECTIONS));
      show('mix of 1 KB to 5 MB, bare', await measure(bare, mixedDocuments(), CONNECTIONS));
      await largePdfs(kiln);
      await drain(kiln);
      await fairness(kiln);
    } finally {
      await kiln.stop();
    }
  } finally {
    await bare.stop();
  }
}

await main();
