// Azurite, Microsoft's emulator of Azure Storage, as a child process with its own port and account.
import { selfSigned } from '@kiln/dev';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Azurite {
  url: string;
  accountName: string;
  accountKey: string;
  /** The certificate to trust, over https. */
  ca: string;
  close(): Promise<void>;
}

export interface AzuriteOptions {
  /** Serves https, and accepts tokens of Entra ID without checking their signature. */
  tokens?: boolean;
  /** Default: blobs. */
  service?: 'blob' | 'queue';
  /** The account to serve. Default: a new one. */
  account?: Pick<Azurite, 'accountName' | 'accountKey'>;
}

const newAccount = () => ({ accountName: 'kilntest', accountKey: randomBytes(64).toString('base64') });

export async function startAzurite(options: AzuriteOptions = {}): Promise<Azurite> {
  const { tokens = false, service = 'blob', account = newAccount() } = options;
  const { accountName, accountKey } = account;
  const directory = await mkdtemp(join(tmpdir(), 'kiln-azurite-'));
  const { key, cert } = selfSigned('localhost');
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  await Promise.all([writeFile(keyFile, key), writeFile(certificateFile, cert)]);
  const folder = dirname(createRequire(import.meta.url).resolve('azurite/package.json'));
  const flags = [`--${service}Host`, '127.0.0.1', `--${service}Port`, '0', '--location', directory, '--silent'];
  if (tokens) flags.push('--oauth', 'basic', '--cert', certificateFile, '--key', keyFile);
  // The SDK uses a newer version of the API than the emulator supports.
  const program = [
    join(folder, `dist/src/${service}/main.js`),
    ...flags,
    '--disableTelemetry',
    '--skipApiVersionCheck',
  ];
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
    const port = /successfully listens on .*:(\d+)$/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    const url = `${tokens ? 'https://localhost' : 'http://127.0.0.1'}:${port}/${accountName}`;
    return { url, accountName, accountKey, ca: cert, close };
  }
  await close();
  throw new Error('Azurite did not start');
}
