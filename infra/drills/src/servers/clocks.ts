/** Wall clocks of single processes, by libfaketime. Monotonic clocks and timers stay right, as after a step of NTP. */
import { repositoryDirectory, unpackDebianPackages } from '@kiln/dev';
import { processName, topology } from '@kiln/dev/launcher';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from '../place.js';
import { clockVariables } from './clocks.config.js';

const UNPACKED = join(repositoryDirectory, '.cache/servers/libfaketime');
/** How long a process keeps what it has read of its file. */
const CACHE_SECONDS = 1;

export class Clocks {
  readonly processes = topology.map(processName);

  private constructor(private readonly directory: string) {}

  /** Writes an entry point for each service: it becomes the service's own, with its clock. */
  static async make(place: Place): Promise<Clocks> {
    const library = await findLibrary();
    const directory = place.folder('clocks');
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }\n');
    for (const service of new Set(topology.map(({ service }) => service))) {
      mkdirSync(join(directory, service, 'dist'), { recursive: true });
      const entry = join(repositoryDirectory, 'services', service, 'dist/main.js');
      writeFileSync(join(directory, service, 'dist/main.js'), entryPoint(entry, library, `${directory}/${service}-`));
    }
    const clocks = new Clocks(directory);
    for (const name of clocks.processes) clocks.write(name, 0);
    return clocks;
  }

  get variables(): Record<string, string> {
    return clockVariables({ directory: this.directory });
  }

  /** From now on, the clock of the process is wrong by so many seconds. */
  async set(name: string, seconds: number): Promise<void> {
    this.write(name, seconds);
    await delay(CACHE_SECONDS * 1_000);
  }

  private write(name: string, seconds: number): void {
    writeFileSync(join(this.directory, name), `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }
}

const entryPoint = (entry: string, library: string, clock: string): string => `import process from 'node:process';
process.execve(process.execPath, [process.execPath, ...process.execArgv, ${JSON.stringify(entry)}], {
  ...process.env,
  LD_PRELOAD: ${JSON.stringify(library)},
  FAKETIME_TIMESTAMP_FILE: ${JSON.stringify(clock)} + process.env.KILN_ROLE,
  FAKETIME_CACHE_DURATION: '${CACHE_SECONDS}',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});
`;

async function findLibrary(): Promise<string> {
  if (!existsSync(UNPACKED)) await unpackDebianPackages({ debian: ['libfaketime'], directory: UNPACKED });
  const [path] = execFileSync('find', [UNPACKED, '-name', 'libfaketimeMT.so.1'], { encoding: 'utf8' }).split('\n');
  if (!path) throw new Error(`${UNPACKED} contains no libfaketime`);
  return path;
}
