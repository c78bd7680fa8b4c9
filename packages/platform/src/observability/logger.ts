// Structured logs. Secrets are redacted here by path. The spec beside tests the list.
import pino, { type DestinationStream, type Logger } from 'pino';
import { contextFields } from './tracing.js';

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
  'KILN_REDIS_SENTINEL_PASSWORD',
  'KILN_API_KEY',
  'KILN_STORAGE_SECRET_ACCESS_KEY',
  'KILN_ENCRYPTION_KEY',
];

/** Redacted at the top level and two levels below. */
const redactedPaths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Removes the password from `postgres://user:password@host` wherever an error message quotes it. */
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
    mixin: contextFields,
  };
  const target = destination ?? standardOutput();
  return pino(settings, { write: (line) => target.write(escapeControls(line)) });
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Characters that JSON does not escape, but that some viewers treat as a line end or a change of direction. A filename may contain
 * them. Escaped in a JSON string, they mean the same.
 */
const escapeControls = (line: string) =>
  line.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const BUFFER_BYTES = 4_096;
const FLUSH_INTERVAL_MS = 1_000;
let output: ReturnType<typeof pino.destination> | undefined;

/** Lines are buffered briefly and written together with one system call. Only a killed process loses any. */
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
