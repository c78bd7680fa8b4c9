import { randomBytes } from 'node:crypto';

/**
 * A prefix nobody else uses, such as `t4f1c09ab`: letters and digits only, so it may begin a NATS subject, a stream
 * name, a Redis key, an SQL identifier or an object key.
 */
export function testNamespace(): string {
  return `t${randomBytes(6).toString('hex')}`;
}
