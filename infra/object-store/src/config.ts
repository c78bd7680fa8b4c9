// The environment of a standalone store, read once; every problem is reported in one error. Instead of a value, `<NAME>_FILE` may name a
// file that contains it.
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

export function readConfig(given: Environment = process.env): ObjectStoreOptions {
  const problems: string[] = [];
  const environment = withFiles(given, problems);
  const required = (name: string, what: string): string => {
    const value = environment[name] ?? '';
    if (value === '') problems.push(`${name} is missing: set it to ${what}`);
    return value;
  };
  const directory = required('KILN_STORE_DIR', 'the folder that holds the objects');
  const accessKeyId = required('KILN_STORE_ACCESS_KEY_ID', 'the access key id clients sign with');
  const secretAccessKey = required('KILN_STORE_SECRET_ACCESS_KEY', 'the secret key clients sign with');
  if (accessKeyId.includes('/')) problems.push('KILN_STORE_ACCESS_KEY_ID must not contain "/"');
  const port = Number(environment['KILN_STORE_PORT'] ?? PORT_DEFAULT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('KILN_STORE_PORT must be 0 to 65535');
  const durable = environment['KILN_STORE_DURABLE'] ?? 'true';
  if (durable !== 'true' && durable !== 'false') problems.push('KILN_STORE_DURABLE must be true or false');
  const notify = readNotify(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    directory,
    accessKeyId,
    secretAccessKey,
    port,
    durable: durable === 'true',
    host: environment['KILN_STORE_HOST'] ?? '127.0.0.1',
    buckets: listOf(environment['KILN_STORE_BUCKETS']),
    corsOrigins: listOf(environment['KILN_STORE_CORS_ORIGINS'] ?? '*'),
    ...(notify !== undefined && { notify }),
  };
}

/** Replaces variables of the store that name a file by its content, without the last line break. */
function withFiles(environment: Environment, problems: string[]): Environment {
  const contents: Record<string, string> = {};
  for (const [fileName, path] of Object.entries(environment)) {
    const [, name] = /^(KILN_STORE_\w+)_FILE$/.exec(fileName) ?? [];
    if (name === undefined || !path) continue;
    if (environment[name]) problems.push(`${name} is set, and so is ${fileName}: remove one of them`);
    try {
      contents[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${fileName}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { ...environment, ...contents };
}

function readNotify(environment: Environment, problems: string[]): ObjectStoreOptions['notify'] {
  const url = environment['KILN_STORE_NOTIFY_URL'] ?? '';
  const token = environment['KILN_STORE_NOTIFY_TOKEN'] ?? '';
  if (url === '') return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) problems.push('KILN_STORE_NOTIFY_URL must be an http(s) URL');
  const of = environment['KILN_STORE_NOTIFY_OF'] ?? 'all';
  if (of === 'all' || of === 'signed-url') return { url, of, ...(token !== '' && { token }) };
  problems.push('KILN_STORE_NOTIFY_OF must be all or signed-url');
  return undefined;
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
