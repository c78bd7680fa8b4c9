import { randomBytes } from 'node:crypto';

/**
 * A unique prefix, such as `t4f1c09ab`. Letters and digits only, so it can start a NATS subject, a stream name, a Redis key, an SQL
 * identifier or an object key.
 */
export function testNamespace(): string {
  return `t${randomBytes(6).toString('hex')}`;
}
