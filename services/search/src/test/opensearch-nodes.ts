// A cluster of OpenSearch in one JVM, which `opensearch-nodes/install.mjs` installs. Specs skip it where it is not installed.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';

const SOURCES = join(import.meta.dirname, '../../opensearch-nodes');
const INSTALLED = join(homedir(), '.cache/kiln/counterparts/opensearch-3.5.0.0');

export interface OpenSearchNodes {
  urls: string[];
  closeNode(number: number): Promise<void>;
  openNode(number: number): Promise<void>;
  stop(): Promise<void>;
}

/** Why specs are skipped. Null where OpenSearch is installed. */
export async function openSearchMissing(): Promise<string | null> {
  return readFile(join(INSTALLED, 'jdk')).then(
    () => null,
    () => 'OpenSearch is not installed: node services/search/opensearch-nodes/install.mjs',
  );
}

export async function startOpenSearch(nodes = 1): Promise<OpenSearchNodes> {
  const jdk = await readFile(join(INSTALLED, 'jdk'), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'kiln-opensearch-'));
  await mkdir(join(folder, 'home/config'), { recursive: true });
  const libraries = join(INSTALLED, 'lib/*');
  const sources = (await readdir(SOURCES)).filter((name) => name.endsWith('.java')).map((name) => join(SOURCES, name));
  await promisify(execFile)(join(jdk, 'bin/javac'), ['-cp', libraries, '-d', folder, ...sources]);
  const ports: number[] = [];
  for (let count = 0; count < 2 * nodes; count++) ports.push(await freePort());
  const pairs = Array.from({ length: nodes }, (_, node) => `${ports[2 * node]}:${ports[2 * node + 1]}`);
  const memory = ['-Xms256m', `-Xmx${nodes > 1 ? 768 : 512}m`, '-XX:TieredStopAtLevel=1'];
  const child = spawn(
    join(jdk, 'bin/java'),
    [...memory, '-cp', `${libraries}:${folder}`, 'OpenSearchNodes', folder, ...pairs],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    },
  );
  const lines = createInterface({ input: child.stdout });
  await done(child, lines);
  const command = async (text: string) => {
    child.stdin.write(`${text}\n`);
    await done(child, lines);
  };
  return {
    urls: pairs.map((pair) => `http://127.0.0.1:${pair.split(':')[0]}`),
    closeNode: (number) => command(`close ${number}`),
    openNode: (number) => command(`open ${number}`),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits for the end of the command that is running. */
function done(child: ChildProcess, lines: Interface): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      lines.off('line', onLine);
      child.off('exit', onExit);
      if (error) reject(error);
      else resolve();
    };
    const onLine = (line: string) => line === 'done' && end();
    const onExit = () => end(new Error('OpenSearch has ended'));
    lines.on('line', onLine);
    child.once('exit', onExit);
  });
}
