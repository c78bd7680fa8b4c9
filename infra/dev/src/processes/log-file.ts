/**
 * A log file of bounded size: at `maximumBytes` it is renamed to `<name>.1` (replacing the previous one) and a new file is started.
 * The last lines stay in memory, to be shown if a start fails.
 */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const TAIL_CHARACTERS_MAX = 16_384;

export class LogFile {
  private descriptor: number | undefined;
  private bytes: number;
  private recent = '';

  constructor(
    readonly path: string,
    private readonly maximumBytes = 10 * 1024 * 1024,
  ) {
    mkdirSync(dirname(path), { recursive: true });
    this.descriptor = openSync(path, 'a', 0o600);
    this.bytes = fstatSync(this.descriptor).size;
  }

  write(chunk: Buffer): void {
    this.recent = (this.recent + chunk.toString('utf8')).slice(-TAIL_CHARACTERS_MAX);
    if (this.descriptor === undefined) return;
    if (this.bytes + chunk.length > this.maximumBytes) this.rotate(this.descriptor);
    try {
      this.bytes += writeSync(this.descriptor, chunk);
    } catch {
      // A full disk must not crash the launcher, and with it the whole system.
    }
  }

  /** The last `lines` lines written by this process since the file was opened. */
  tail(lines = 25): string {
    return this.recent.trimEnd().split('\n').slice(-lines).join('\n');
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private rotate(descriptor: number): void {
    closeSync(descriptor);
    renameSync(this.path, `${this.path}.1`);
    this.descriptor = openSync(this.path, 'a', 0o600);
    this.bytes = 0;
  }
}
