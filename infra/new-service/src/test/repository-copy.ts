/**
 * A copy of the repository in a temporary folder, for tests that change and build it. It uses the installed packages of the
 * repository; the workspace packages that they link to are in the copy.
 */
import { repositoryDirectory } from '@kiln/dev';
import { testNats, testPostgres } from '@kiln/testing';
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

const WORKSPACE_MANIFEST = /^(?:(?:packages|services|infra)\/[^/]+|acceptance|bench)\/package\.json$/;

export class RepositoryCopy {
  readonly directory = mkdtempSync(join(realpathSync(tmpdir()), 'kiln-copy-'));

  constructor() {
    const options = { cwd: repositoryDirectory, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
    const files = listed.split('\0').filter((path) => path !== '' && existsSync(join(repositoryDirectory, path)));
    for (const path of files) this.copy(path);
    for (const manifest of files.filter((path) => WORKSPACE_MANIFEST.test(path))) {
      for (const folder of ['dist', 'node_modules']) this.copy(join(dirname(manifest), folder));
    }
    symlinkSync(join(repositoryDirectory, 'node_modules'), join(this.directory, 'node_modules'));
  }

  private copy(path: string): void {
    const source = join(repositoryDirectory, path);
    if (!existsSync(source)) return;
    cpSync(source, join(this.directory, path), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  /** Links exactly the dependencies that a service declares, as pnpm would. `model` is a service that has them all. */
  linkDependencies(service: string, model: string): void {
    type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const { dependencies, devDependencies } = JSON.parse(this.read(`services/${service}/package.json`)) as Manifest;
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const link = join(this.directory, 'services', service, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(readlinkSync(join(this.directory, 'services', model, 'node_modules', name)), link);
    }
  }

  /** Runs a program of node_modules in the copy, with the servers of this test run and nothing else of its environment. */
  async run(program: string, ...words: string[]): Promise<Outcome> {
    const child = spawn(process.execPath, [join('node_modules', program), ...words], {
      cwd: this.directory,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        KILN_TEST_POSTGRES_URL: await testPostgres(),
        KILN_TEST_NATS_URL: await testNats(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const pipe of [child.stdout, child.stderr])
      pipe.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    const endWithUs = () => void child.kill();
    process.once('exit', endWithUs);
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    process.off('exit', endWithUs);
    return { status, output };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
