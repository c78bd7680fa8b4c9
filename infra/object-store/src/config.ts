// The environment of a standalone store, read once; every problem is reported in one error. Instead of a value, each variable may have a
// file that contains it: `<NAME>_FILE` is the path, as for the services (packages/platform/src/config/load-config.ts).
import { readFileSync } from 'node:fs';
import type { ObjectStoreOptions } from './server.js';

const PORT_DEFAULT = 9000;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable, or the content of its file without the last line break. */
type Read = (name: string) => string | undefined;

function readerOf(environment: Environment, problems: string[]): Read {
  return (name) => {
    const value = environment[name];
    const path = environment[`${name}_FILE`];
    if (!path) return value;
    if (value) {
      problems.push(`${name} is set, and so is ${name}_FILE: remove one of them`);
      return value;
    }
    try {
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const { code = 'an error' } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE: the file cannot be read (${code})`);
      return undefined;
    }
  };
}

export function readConfig(environment: Environment = process.env): ObjectStoreOptions {
  const problems: string[] = [];
  const read = readerOf(environment, problems);
  const required = (name: string, what: string): string => {
    const value = read(name) ?? '';
    if (value === '') problems.push(`${name} is missing: set it to ${what}`);
    return value;
  };
  const directory = required('KILN_STORE_DIR', 'the folder that holds the objects');
  const accessKeyId = required('KILN_STORE_ACCESS_KEY_ID', 'the access key id clients sign with');
  const secretAccessKey = required('KILN_STORE_SECRET_ACCESS_KEY', 'the secret key clients sign with');
  if (accessKeyId.includes('/')) problems.push('KILN_STORE_ACCESS_KEY_ID must not contain "/"');
  const port = Number(read('KILN_STORE_PORT') ?? PORT_DEFAULT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('KILN_STORE_PORT must be 0 to 65535');
  const durable = read('KILN_STORE_DURABLE') ?? 'true';
  if (durable !== 'true' && durable !== 'false') problems.push('KILN_STORE_DURABLE must be true or false');
  const [host, buckets] = [read('KILN_STORE_HOST') ?? '127.0.0.1', listOf(read('KILN_STORE_BUCKETS'))];
  const corsOrigins = listOf(read('KILN_STORE_CORS_ORIGINS') ?? '*');
  const notify = readNotify(read, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    directory,
    accessKeyId,
    secretAccessKey,
    port,
    durable: durable === 'true',
    host,
    buckets,
    corsOrigins,
    ...(notify !== undefined && { notify }),
  };
}

function readNotify(read: Read, problems: string[]): ObjectStoreOptions['notify'] {
  const url = read('KILN_STORE_NOTIFY_URL') ?? '';
  const token = read('KILN_STORE_NOTIFY_TOKEN') ?? '';
  if (url === '') return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) problems.push('KILN_STORE_NOTIFY_URL must be an http(s) URL');
  const of = read('KILN_STORE_NOTIFY_OF') ?? 'all';
  if (of === 'all' || of === 'signed-url') return { url, of, ...(token !== '' && { token }) };
  problems.push('KILN_STORE_NOTIFY_OF must be all or signed-url');
  return undefined;
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
