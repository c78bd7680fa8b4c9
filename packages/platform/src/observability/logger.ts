// Structured logs. Secrets are taken out by path here, once; the test beside pins that list.
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'key',
  'token',
  'api_key',
  'access_key_id',
  'secret_access_key',
  'credentials',
  'upload_url',
  'content_url',
  'DATABASE_URL',
  'NATS_URL',
  'REDIS_URL',
  'KILN_API_KEY',
  'KILN_STORAGE_SECRET_ACCESS_KEY',
  'KILN_ENCRYPTION_KEY',
];

/** At the top, and up to two levels down. */
const redactedPaths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Text such as `postgres://user:password@host` loses its password wherever an error message quotes it. */
const withoutUrlPasswords = (text: string) => text.replace(/(\w+:\/\/[^:@/\s]*):[^@/\s]+@/g, '$1:[redacted]@');

export interface LoggerOptions {
  service: string;
  role: string;
  level: string;
}

export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: { service: options.service, role: options.role },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    serializers: { err: serializeError },
    formatters: { level: (label) => ({ level: label }) },
  };
  const target = destination ?? standardOutput();
  return pino(settings, { write: (line) => target.write(withoutTricks(line)) });
}

// oxlint-disable-next-line no-control-regex -- finding them is the point
const TRICKS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * What JSON leaves as it is, though some viewers end a line at it or turn the text around: a filename may hold it. As JSON
 * keeps such characters within strings, the line means the same.
 */
const withoutTricks = (line: string) =>
  line.replace(TRICKS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const BUFFER_BYTES = 4_096;
const FLUSH_INTERVAL_MS = 1_000;
let output: ReturnType<typeof pino.destination> | undefined;

/** Lines gather for a moment and are written together: one system call for many. Only a killed process loses any. */
function standardOutput(): DestinationStream {
  if (!output) {
    const stream = pino.destination({ sync: true, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
    process.once('exit', () => stream.flushSync());
    output = stream;
  }
  return output;
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    code,
    message: withoutUrlPasswords(error.message),
    stack: withoutUrlPasswords(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
