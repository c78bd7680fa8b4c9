import assert from 'node:assert/strict';
import { it } from 'node:test';
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
  assert.doesNotMatch(text, /sesame|kiln_live_secret/);
});

it('the password inside an address that an error quotes is taken out, also from its cause', () => {
  const cause = new Error('connect nats://user:sesame@127.0.0.1:4222 failed');
  const text = logged((logger) => logger.error({ err: new Error('no bus', { cause }) }, 'boot'));
  assert.match(text, /no bus/);
  assert.doesNotMatch(text, /sesame/);
});

it('a line is one line to every viewer, and reads from left to right, whatever a name holds', () => {
  const filename = 'a\r\n\u0085\u2028\u2029\u202Egnp\u2066\u200f\u007f\u009b.md';
  const text = logged((logger) => logger.info({ err: new Error(filename), filename }, filename));
  assert.match(text, /^[\x20-\x7e]+\n$/);
  const { err, msg, ...line } = JSON.parse(text) as { err: { message: string }; msg: string; filename: string };
  assert.deepEqual([err.message, msg, line.filename], [filename, filename, filename]);
});
