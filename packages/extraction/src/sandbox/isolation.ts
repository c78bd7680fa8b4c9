/** Finds out which isolation of child processes the system permits, and builds their command. See ADR 21. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { childEnvironment } from './config.js';
import { privateRootCommand, type UserKind } from './private-root.js';
import { limitedCommand } from './process-limits.js';
import { Room } from './room.js';

/**
 * `separate_user`: namespaces, and a user id that owns nothing. For a caller that is root.
 * `user_namespace`: namespaces, without privileges outside of them. For a caller that is an ordinary user.
 * `process_only`: a process of the same user. Its JavaScript has no network; its native code is not restricted.
 */
export type IsolationLevel = UserKind | 'process_only';

/** `extractor`: documents are read by extractors, which have an isolation of their own. */
export type ReaderIsolation = IsolationLevel | 'extractor';

/** `required`: documents are read in namespaces or not at all. `preferred`: in a plain child process where namespaces are not permitted. */
export type IsolationDemand = 'required' | 'preferred';

export interface Isolation {
  level: IsolationLevel;
  /** Why a stronger level cannot be used, from the system's message. Null if the level is the strongest that this user can have. */
  reason: string | null;
}

const probeDeadlineMs = 10_000;
const reasonCharactersMax = 300;

/** The strongest isolation in which a child can load `module`. Each attempt starts a real process. */
export async function findIsolation(module: URL, directory: string): Promise<Isolation> {
  const reasons: string[] = [];
  const isRoot = process.getuid?.() === 0;
  for (const level of isRoot ? (['separate_user', 'user_namespace'] as const) : (['user_namespace'] as const)) {
    const reason = await whyImpossible(level, module, directory);
    if (reason === null) return { level, reason: reasons.length === 0 ? null : reasons.join('; ') };
    reasons.push(`${level}: ${reason}`);
  }
  return { level: 'process_only', reason: reasons.join('; ') };
}

/** @throws ExtractionError if namespaces are required and not permitted. */
export function assertIsolated({ level, reason }: Isolation, demand: IsolationDemand): void {
  if (level !== 'process_only' || demand === 'preferred') return;
  throw new ExtractionError(
    'internal',
    `Documents are not read, because this system does not permit the namespaces that isolate their readers (${reason ?? 'unknown'}).`,
  );
}

/** The command that starts `command` in isolation. */
export function isolated(
  level: IsolationLevel,
  options: { module: URL; room: Room; workBytesMax: number; dataFiles: readonly string[] },
  command: readonly string[],
): readonly string[] {
  if (level === 'process_only') return limitedCommand(command, options.workBytesMax);
  return privateRootCommand({ ...options, userKind: level }, command);
}

async function whyImpossible(level: UserKind, module: URL, directory: string): Promise<string | null> {
  if (process.platform !== 'linux') return `${process.platform} has no namespaces`;
  let room: Room | null = null;
  try {
    room = await Room.open(directory);
    const check = `require('node:fs').accessSync(${JSON.stringify(fileURLToPath(module))}, 4)`;
    const options = { module, room, workBytesMax: 1024 * 1024, dataFiles: [] };
    const command = isolated(level, options, [process.execPath, '-e', check]);
    return await whyFailed(command, childEnvironment(room.work));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await room?.remove();
  }
}

function whyFailed([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: probeDeadlineMs, env, cwd: '/' }, (error, _output, stderr) => {
      if (error === null) return resolve(null);
      const lines = stderr.trim().split('\n');
      // Node.js prints where an error was thrown before the error.
      const line = lines.find((text) => /^\w*Error\b/.test(text)) ?? lines[0] ?? '';
      resolve((line || error.message).slice(0, reasonCharactersMax));
    });
  });
}
