import { expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ service: 'files', role: 'api', level: 'info' }, { write: (line) => void lines.push(line) }));
  return lines.join('');
}

it('secrets never reach the log, at the top or nested', () => {
  const text = logged((logger) => {
    logger.info({ authorization: 'ApiKey kiln_live_secret', request: { headers: { authorization: 'sesame' } } }, 'a');
    logger.info({ config: { DATABASE_URL: 'postgres://u:sesame@h/d', secret_access_key: 'sesame' } }, 'b');
    logger.info({ credentials: { anything: 'sesame' }, upload_url: 'https://h/?X-Amz-Signature=sesame' }, 'c');
  });
  expect(text).not.toMatch(/sesame|kiln_live_secret/);
});

it('a password in a URL is removed from the message of an error and of its cause', () => {
  const cause = new Error('connect nats://user:sesame@127.0.0.1:4222 failed');
  const text = logged((logger) => logger.error({ err: new Error('no bus', { cause }) }, 'boot'));
  expect(text).toMatch(/no bus/);
  expect(text).not.toMatch(/sesame/);
});

it('a log line stays one line and left to right in every viewer, whatever a filename contains', () => {
  const filename = 'a\r\n\u0085\u2028\u2029\u202Egnp\u2066\u200f\u007f\u009b.md';
  const text = logged((logger) => logger.info({ err: new Error(filename), filename }, filename));
  expect(text).toMatch(/^[\x20-\x7e]+\n$/);
  const { err, msg, ...line } = JSON.parse(text) as { err: { message: string }; msg: string; filename: string };
  expect([err.message, msg, line.filename]).toStrictEqual([filename, filename, filename]);
});
