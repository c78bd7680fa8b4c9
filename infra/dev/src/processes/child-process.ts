/**
 * A started process: its identity, log and exit. Every child leads its own process group, so that Ctrl-C reaches only the launcher
 * (which stops things in order), and SIGKILL also ends the child's sandboxes.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { LauncherError, messageOf } from '../errors.js';
import { LogFile } from './log-file.js';
import type { ProcessIdentity } from './process-identity.js';
import { signalProcess, startTimeOf } from './process-identity.js';
import type { ProcessRegistry } from './process-registry.js';
import { waitUntil } from './wait-until.js';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  /** The complete environment of the child. Nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly logPath: string;
  /** The user to run as. Requires root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Records the process on disk, so that a later launcher can stop it. */
  readonly registry?: ProcessRegistry | undefined;
  /** If true, the child does not keep this process alive. Default false. */
  readonly background?: boolean | undefined;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ChildProcess {
  private constructor(
    readonly name: string,
    readonly identity: ProcessIdentity,
    readonly log: LogFile,
    /** Resolves once the process ended; never rejects. */
    readonly exited: Promise<ExitStatus>,
    private readonly state: { readonly exit?: ExitStatus },
  ) {}

  /** Rejects when the command cannot be executed. */
  static async start(options: ChildOptions): Promise<ChildProcess> {
    const log = new LogFile(options.logPath);
    const child = spawn(options.command, options.arguments, {
      cwd: options.workingDirectory,
      env: options.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) => {
        log.close();
        reject(new LauncherError('server_start_failed', `${options.name}: ${messageOf(cause)}`, { cause }));
      });
    });
    const pid = Number(child.pid);
    const identity = { pid, startTime: startTimeOf(pid) ?? '' };
    options.registry?.add(options.name, identity);
    child.stdout.on('data', (chunk: Buffer) => log.write(chunk));
    child.stderr.on('data', (chunk: Buffer) => log.write(chunk));
    if (options.background) {
      child.unref();
      for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
    }
    const state: { exit?: ExitStatus } = {};
    const exited = new Promise<ExitStatus>((resolve) => {
      child.once('exit', (code, signal) => {
        options.registry?.remove(identity);
        killGroup(pid);
        state.exit = { code, signal };
        resolve(state.exit);
      });
      child.once('close', () => log.close());
    });
    return new ChildProcess(options.name, identity, log, exited, state);
  }

  get pid(): number {
    return this.identity.pid;
  }

  /** The exit status, or undefined while it runs. */
  get exitStatus(): ExitStatus | undefined {
    return this.state.exit;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.state.exit) signalProcess(this.identity, signal, 'process');
  }

  /** SIGKILL for the process and everything in its group. */
  kill(): void {
    if (!this.state.exit) signalProcess(this.identity, 'SIGKILL', 'group');
  }

  /** Sends `signal`, then SIGKILL after the deadline. Returns when the process has exited. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', deadlineMilliseconds = 15_000): Promise<ExitStatus> {
    this.signal(signal);
    const ended = await waitUntil(() => this.state.exit, { deadlineMilliseconds, intervalMilliseconds: 10 });
    if (ended) return ended;
    this.kill();
    return this.exited;
  }
}

/** Kills what an exited child leaves in its group, such as sandboxes. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The usual case: the group is empty.
  }
}
