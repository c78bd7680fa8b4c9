// Real: redis-server, with the arguments that docker-compose.yml and k8s/ give to valkey-server, which accepts the same ones.
import { expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  findServer,
  makeTemporaryHome,
  onFreePort,
  repositoryDirectory,
  waitUntil,
  type TemporaryHome,
} from '@kiln/dev';
import { readCompose } from './compose-file.js';
import { manifestsOf } from './kustomization.js';

const PASSWORD = 'a-password';

function composeCommand(): string[] {
  const { services } = readCompose('docker-compose.yml') as { services: { redis: { command: string[] } } };
  return services.redis.command.map((word) => (word.startsWith('${KILN_REDIS_PASSWORD:?') ? PASSWORD : word));
}

function kubernetesCommand(): string[] {
  const manifests = manifestsOf(join(repositoryDirectory, 'k8s/components/in-cluster-dependencies'));
  const redis = manifests.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'redis');
  const { command = [] } = redis?.spec?.template?.spec.containers[0] ?? {};
  return command.map((word) => word.replace('$(REDISCLI_AUTH)', PASSWORD));
}

/** The server's response to these lines. Empty while it does not listen. */
async function answerOf(port: number, lines: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).on('data', (data: Buffer) => (answer += data.toString()));
  socket.end(lines);
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

/** Starts the server, and waits until it answers `lines`. */
async function startServer(settings: readonly string[], home: TemporaryHome, lines: string) {
  const server = await findServer('redis-server', { directory: home.directory });
  return onFreePort(undefined, async (port) => {
    const child: ChildProcess = spawn(server.path, [...settings, '--port', String(port), '--bind', '127.0.0.1'], {
      env: server.environment,
      cwd: home.directory,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const answer = await waitUntil(async () => child.exitCode !== null || (await answerOf(port, lines)) || undefined, {
      deadlineMilliseconds: 60_000,
    });
    if (child.exitCode !== null) throw new Error(`It ended. Could it not bind port ${port}?`);
    return { child, ended, port, answer };
  });
}

for (const [place, command] of [
  ['docker-compose.yml', composeCommand()],
  ['k8s/', kubernetesCommand()],
] as const) {
  it(`the cache of ${place} requires its password and hides it, stores nothing on disk, and exits on SIGTERM`, async () => {
    const home = await makeTemporaryHome();
    const [program, ...settings] = command;
    expect(program).toBe('valkey-server');
    const lines = `AUTH ${PASSWORD}\r\nCONFIG GET save\r\nCONFIG GET maxmemory-policy\r\nQUIT\r\n`;
    const { child, ended, port, answer } = await startServer(settings, home, lines);
    try {
      expect(answer ?? '').toMatch(/^\+OK\r\n\*2\r\n\$4\r\nsave\r\n\$0\r\n\r\n/);
      expect(answer ?? '').toMatch(/allkeys-lru/);
      expect(await answerOf(port, 'PING\r\nQUIT\r\n')).toMatch(/^-NOAUTH/);
      if (process.platform === 'linux') {
        // The process list does not show it.
        expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(PASSWORD);
      }
      child.kill('SIGTERM');
      expect(await ended).toStrictEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      home.remove();
    }
  });
}
