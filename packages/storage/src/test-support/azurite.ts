// Azurite, Microsoft's emulator of Azure Blob Storage, as a child process on a port and an account of its own.
import { freePort } from '@kiln/dev';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Azurite {
  url: string;
  accountName: string;
  accountKey: string;
  close(): Promise<void>;
}

export async function startAzurite(): Promise<Azurite> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'kiln-azurite-'));
  const accountName = 'kilntest';
  const accountKey = randomBytes(64).toString('base64');
  const folder = dirname(createRequire(import.meta.url).resolve('azurite/package.json'));
  const flags = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', directory, '--silent'];
  // The SDK speaks a newer version of the API than the emulator has learned of.
  const program = [join(folder, 'dist/src/blob/main.js'), ...flags, '--disableTelemetry', '--skipApiVersionCheck'];
  const child = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { AZURITE_ACCOUNTS: `${accountName}:${accountKey}` },
  });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('successfully listens')) continue;
    child.stdout.resume();
    return { url: `http://127.0.0.1:${port}/${accountName}`, accountName, accountKey, close };
  }
  await close();
  throw new Error('Azurite did not start');
}
