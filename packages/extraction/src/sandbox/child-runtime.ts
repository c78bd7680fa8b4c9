/** The main loop of a sandbox child. Receives one job at a time, runs an extractor, and sends the result. */
import { readFileSync, writeSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { ExtractionError, unsupportedType } from '@kiln/pdf/extraction-error';
import type {
  ExtractionInput,
  Extractor,
  PageCounter,
  PageDrawer,
  PageToDraw,
  PropertyReader,
  ThumbnailMaker,
} from '@kiln/readers/extractor';
import { frameOf } from './message-frame.js';
import { lockNetwork } from './network-lock.js';
import {
  MESSAGE_FD,
  resultFiles,
  type ChildMessage,
  type ChildResult,
  type ChildSettings,
  type JobMessage,
} from './protocol.js';

export function readSettings(): ChildSettings {
  return JSON.parse(process.argv[2] ?? '') as ChildSettings;
}

/** An extractor that runs in the calling process. */
type LocalReader = Extractor & Partial<PageCounter & ThumbnailMaker & PropertyReader & PageDrawer>;

/** Tells the parent that work on the document continues. The next message waits for this one. */
export function announceRecognizedPage(): void {
  send({ type: 'recognized' });
}

export async function serveExtractions(extractors: readonly LocalReader[]): Promise<void> {
  const settings = readSettings();
  if (settings.parentPid !== null) watchParent(settings.parentPid);
  lockNetwork();
  yieldToOthers();
  send({ type: 'ready' });
  // Created at the last moment: lines that arrive before the loop would be lost.
  for await (const line of createInterface({ input: process.stdin }))
    await run(JSON.parse(line) as JobMessage, settings, extractors);
  // The parent has closed the pipe, or has ended.
  process.exit(0);
}

/** A child of a process with a lower priority keeps that: only root may raise it. */
function yieldToOthers(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}

function watchParent(parentPid: number): void {
  const thread = new Worker(new URL('./parent-watch.js', import.meta.url), {
    workerData: parentPid,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  thread.unref();
  thread.once('error', () => process.exit(1));
}

async function run(job: JobMessage, settings: ChildSettings, extractors: readonly LocalReader[]): Promise<void> {
  try {
    await answer(job, settings, extractors);
  } catch (error) {
    const known =
      error instanceof ExtractionError
        ? error
        : new ExtractionError('internal', `Reading "${job.filename}" failed on our side. Try again.`, { cause: error });
    send({ type: 'failed', code: known.code, message: known.message, retryable: known.retryable });
  }
}

async function answer(
  { filename, contentType, ...job }: JobMessage,
  { documentPath, workDirectory }: ChildSettings,
  extractors: readonly LocalReader[],
): Promise<void> {
  const extractor = extractors.find((candidate) => candidate.supports(contentType));
  if (extractor === undefined) throw unsupportedType(filename, contentType);
  const outputDirectory = join(workDirectory, 'output');
  const input: ExtractionInput = { path: documentPath, filename, contentType, outputDirectory };
  // To abort, the parent kills this process, so this signal is never used.
  const { signal } = new AbortController();
  if (job.task === 'draw_page') return answerPage(extractor, input, job);
  if (job.task === 'count_pages') {
    return send({ type: 'counted', pageCount: (await extractor.countPages?.(input, signal)) ?? null });
  }
  if (job.task === 'make_thumbnail') {
    const image = (await extractor.makeThumbnail?.(input, signal)) ?? null;
    return send({ type: 'pictured', image: image === null ? null : image.toString('base64') });
  }
  if (job.task === 'read_properties') {
    return send({ type: 'described', properties: (await extractor.readProperties?.(input, signal)) ?? null });
  }
  await mkdir(outputDirectory);
  try {
    const { pageCount, metadata, ...output } = await extractor.extract(input, signal);
    const sizes = {
      markdownPath: await sizeOf(output.markdownPath),
      pagesPath: output.pagesPath === null ? null : await sizeOf(output.pagesPath),
    };
    const result: ChildResult = { pageCount, metadata, sizes };
    send({ type: 'done', result });
    for (const [field] of resultFiles) {
      const path = output[field];
      if (path !== null) sendBytes(readFileSync(path));
    }
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

async function answerPage(extractor: LocalReader, input: ExtractionInput, place: PageToDraw): Promise<void> {
  if (extractor.drawPage === undefined) throw unsupportedType(input.filename, input.contentType);
  const { pageCount, png } = await extractor.drawPage(input, place, new AbortController().signal);
  send({ type: 'drawn', pageCount, sizeBytes: png?.length ?? null });
  if (png !== null) sendBytes(png);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

/** Waits until the parent has taken it: this process has nothing else to do. */
function send(message: ChildMessage): void {
  sendBytes(frameOf(message));
}

function sendBytes(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) sent += writeSync(MESSAGE_FD, bytes, sent);
}
