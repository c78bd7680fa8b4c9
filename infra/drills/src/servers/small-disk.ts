/** A disk of a few megabytes, in the mount namespace of the drills. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@kiln/dev';

const BLOCK = Buffer.alloc(65_536);

export class SmallDisk {
  private constructor(readonly directory: string) {}

  static mount(directory: string, megabytes: number): SmallDisk {
    mkdirSync(directory, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', directory]);
    return new SmallDisk(directory);
  }

  /** Takes what is free. */
  fill(): void {
    const file = openSync(this.ballast, 'a');
    try {
      for (const size of [BLOCK.length, 4_096, 1]) while (this.take(file, size));
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  /** A file system with open files cannot become read-only at once. */
  makeReadOnly(): Promise<unknown> {
    return eventually(() => this.remount('ro') === null);
  }

  makeWritable(): void {
    this.remount('rw');
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.directory]);
  }

  private get ballast(): string {
    return join(this.directory, 'ballast');
  }

  private remount(mode: 'ro' | 'rw'): null {
    execFileSync('mount', ['-o', `remount,${mode}`, this.directory], { stdio: 'pipe' });
    return null;
  }

  private take(file: number, size: number): boolean {
    try {
      return writeSync(file, BLOCK, 0, size) > 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
      throw error;
    }
  }
}
