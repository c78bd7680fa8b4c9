// OpenStack Swift with its S3 API, from Debian's packages: an independent implementation of the protocol.
import { freePort } from '@kiln/dev';
import { debianPackages } from '@kiln/object-store/debian-packages';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface SwiftPrograms {
  environment: NodeJS.ProcessEnv;
}

export interface Swift {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  close(): Promise<void>;
}

const PYTHON = '/usr/bin/python3';
const SERVER = join(import.meta.dirname, '../../../src/test-support/swift/server.py');
const SERVERS = ['proxy', 'account', 'container', 'object'] as const;

/** The unpacked programs, or the reason why there are none. */
export async function swiftPrograms(): Promise<SwiftPrograms | { reason: string }> {
  const python = await access(PYTHON).catch(() => ({ reason: `${PYTHON}, for which Swift is packaged, is not here` }));
  return python ?? debianPackages(['swift', ...SERVERS.map((server) => `swift-${server}`)]);
}

const STARTS_MAX = 3;

/** Its ports are part of its configuration, so it cannot choose them. Starts again where another process took one meanwhile. */
export async function startSwift(programs: SwiftPrograms): Promise<Swift> {
  for (let start = 1; ; start += 1) {
    try {
      return await startOnce(programs);
    } catch (error) {
      if (start === STARTS_MAX) throw error;
    }
  }
}

async function startOnce({ environment }: SwiftPrograms): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-swift-'));
  const ports: number[] = [];
  for (const _ of SERVERS) ports.push(await freePort());
  await configure(folder, ports, environment);
  const child = spawn(PYTHON, [SERVER, folder, ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...environment, HOME: folder },
  });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'ready') continue;
    return { url: `http://127.0.0.1:${ports[0]}`, accessKeyId: 'test:tester', secretAccessKey: 'testing', close };
  }
  await close();
  throw new Error('Swift did not start');
}

async function configure(folder: string, ports: readonly number[], environment: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(join(folder, 'devices/disk'), { recursive: true });
  const policy = '[storage-policy:0]\nname = default\ndefault = yes\n';
  const prefix = '[swift-hash]\nswift_hash_path_prefix = kiln\nswift_hash_path_suffix = tests\n';
  await writeFile(join(folder, 'swift.conf'), prefix + policy);
  for (const [at, server] of SERVERS.entries()) {
    await writeFile(
      join(folder, `${server}.conf`),
      server === 'proxy' ? proxyConf(folder) : storageConf(folder, server),
    );
    if (server !== 'proxy') await buildRing(folder, server, ports[at] ?? 0, environment);
  }
}

/** One partition, one replica, one disk. */
async function buildRing(folder: string, server: string, port: number, environment: NodeJS.ProcessEnv): Promise<void> {
  const { stdout: which } = await promisify(execFile)('which', ['swift-ring-builder'], { env: environment });
  const steps = [['create', '0', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/disk`, '1'], ['rebalance']];
  for (const words of steps) {
    const program = [which.trim(), `${server}.builder`, ...words];
    await promisify(execFile)(PYTHON, program, { cwd: folder, env: { ...environment, HOME: folder } });
  }
}

const common = (folder: string): string => `[DEFAULT]\nswift_dir = ${folder}\nuser = ${userInfo().username}\n`;

const storageConf = (folder: string, server: string): string =>
  `${common(folder)}devices = ${folder}/devices\nmount_check = false
[pipeline:main]\npipeline = ${server}-server
[app:${server}-server]\nuse = egg:swift#${server}\n`;

function proxyConf(folder: string): string {
  const filters = ['catch_errors', 'listing_formats', 's3api', 'tempauth', 'copy', 'slo'];
  const settings: Record<string, string> = {
    s3api: 'location = us-east-1\n',
    tempauth: 'user_test_tester = testing .admin\n',
  };
  const sections = filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n${settings[name] ?? ''}`);
  return `${common(folder)}[pipeline:main]\npipeline = ${filters.join(' ')} proxy-server
${sections.join('')}[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n`;
}
