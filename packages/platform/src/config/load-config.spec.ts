import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { databaseVariables, loadConfig, processVariables } from './load-config.js';

const schema = z.object({ ...processVariables, ...databaseVariables });
const complete = {
  KILN_HEALTH_PORT: '9000',
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://localhost/kiln',
};

it('reads, converts and freezes', () => {
  const config = loadConfig(schema, complete);
  assert.equal(config.KILN_HEALTH_PORT, 9000);
  assert.equal(config.KILN_ROLE, 'all');
  assert.ok(Object.isFrozen(config));
});

it('tells every problem at once, and never a value', () => {
  assert.throws(
    () => loadConfig(schema, { KILN_HEALTH_PORT: '70000', NATS_URL: 'http://s3cret@host' }),
    (error) =>
      error instanceof Error &&
      ['KILN_HEALTH_PORT', 'NATS_URL', 'DATABASE_URL'].every((name) => error.message.includes(name)) &&
      !error.message.includes('s3cret'),
  );
});

it('an empty variable counts as missing', () => {
  assert.throws(() => loadConfig(schema, { ...complete, DATABASE_URL: '' }), /DATABASE_URL/);
});
