/** Reads the log of the broker after a run: a service that uses a subject outside its permissions is a defect of the list, or of the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws if the broker has refused a message or a subscription. */
export function assertNothingRefused(dataDirectory: string): void {
  const log = readFileSync(join(dataDirectory, 'logs/nats.log'), 'utf8');
  const refusals = log.split('\n').filter((line) => / Violation - /.test(line));
  if (refusals.length === 0) return;
  throw new Error(
    `The broker refused subjects that nats-users.conf does not list:\n${refusals.slice(0, 10).join('\n')}`,
  );
}
