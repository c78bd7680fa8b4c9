/** Starts the process of a sandbox child, under the isolation and the limits of memory that its options name. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ExtractionLimits } from '@kiln/readers/limits';
import { dataFiles } from '@kiln/ocr/ocr-languages';
import { childEnvironment } from './config.js';
import { isolated, type IsolationLevel } from './isolation.js';
import { areLimitsPermitted } from './process-limits.js';
import type { ChildSettings } from './protocol.js';
import type { Room } from './room.js';

export interface ChildOptions {
  /** Whose documents it reads. */
  owner: string;
  module: URL;
  level: IsolationLevel;
  room: Room;
  limits: ExtractionLimits;
  /** Where the caller finds the data of languages. */
  ocr: ChildSettings['ocr'];
  memoryBytesMax: number;
  deadlineMs: number;
  onFilesLeft: (error: unknown) => void;
}

/** The share of memory for V8's old generation. */
const oldSpaceShare = 0.7;
/**
 * The share of memory for a semi-space of V8's young generation, which has three. The objects of a document live for a while, and a
 * small young generation would copy them repeatedly: half of this makes large Word documents take a quarter longer.
 */
const semiSpaceShare = 1 / 16;
const semiSpaceMebibytesMax = 64;
/** The markdown and the pages have a limit each. Engines may need temporary files. */
const outputsPerDocument = 3;

/** What a child may write to its room. */
export const workBytesOf = ({ outputBytesMax }: ExtractionLimits): number => outputBytesMax * outputsPerDocument;

/** More than the pipes of a child take. */
const descriptorsPerChild = 16;

/** Jobs go to its standard input, its messages come from `stdio[3]`. @throws EMFILE or ENFILE. */
export function startChild({ module, level, room, limits, ocr, memoryBytesMax }: ChildOptions): ChildProcess {
  const workBytesMax = workBytesOf(limits);
  const { languages } = ocr;
  const settings: ChildSettings = {
    parentPid: level === 'process_only' && !areLimitsPermitted() ? process.pid : null,
    documentPath: room.sourcePath,
    workDirectory: room.work,
    limits,
    ocr: { languages, dataDirectory: level === 'process_only' ? ocr.dataDirectory : room.data },
  };
  const shown = { module, room, workBytesMax, dataFiles: dataFiles(ocr.dataDirectory, languages) };
  const [program = '', ...args] = isolated(level, shown, [
    process.execPath,
    ...memoryFlags(memoryBytesMax),
    fileURLToPath(module),
    JSON.stringify(settings),
  ]);
  assertDescriptors();
  const child = spawn(program, args, {
    cwd: '/',
    env: childEnvironment(room.work),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  // An idle child does not keep the parent running.
  child.unref();
  for (const pipe of child.stdio) (pipe as Socket | null)?.unref();
  return child;
}

/** Node loses some file descriptors for good whenever it cannot start a process for lack of them. */
function assertDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptorsPerChild) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function memoryFlags(memoryBytesMax: number): string[] {
  // A heap limit below the memory limit makes V8 collect garbage before the process is killed.
  const memoryMebibytes = memoryBytesMax / 1024 / 1024;
  const heapMebibytes = Math.max(64, Math.floor(memoryMebibytes * oldSpaceShare));
  const semiSpaceMebibytes = Math.min(semiSpaceMebibytesMax, Math.max(1, Math.floor(memoryMebibytes * semiSpaceShare)));
  return [`--max-old-space-size=${heapMebibytes}`, `--max-semi-space-size=${semiSpaceMebibytes}`];
}
