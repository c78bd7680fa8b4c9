import { expect, it } from '@jest/globals';
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
  expect(config.KILN_HEALTH_PORT).toBe(9000);
  expect(config.KILN_ROLE).toBe('all');
  expect(Object.isFrozen(config)).toBe(true);
});

it('reports every problem at once, and never a value', () => {
  const load = () => loadConfig(schema, { KILN_HEALTH_PORT: '70000', NATS_URL: 'http://s3cret@host' });
  for (const name of ['KILN_HEALTH_PORT', 'NATS_URL', 'DATABASE_URL']) expect(load).toThrow(name);
  expect(load).not.toThrow('s3cret');
});

it('an empty variable counts as missing', () => {
  expect(() => loadConfig(schema, { ...complete, DATABASE_URL: '' })).toThrow(/DATABASE_URL/);
});
