// The snippets of docs/webhooks.md as they are written there, and a delivery that Kiln has signed.
import { keyOf, newSecret, signatureOf } from '@kiln/platform';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const document = readFileSync(fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)), 'utf8');

export function snippet(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(document) ?? [];
  if (!code) throw new Error(`docs/webhooks.md has no snippet in ${language}`);
  return code;
}

export const body = '{"id":"evt_1","data":{"filename":"ü.pdf"}}';
/** Both sign the delivery, as during the grace period of a rotation. */
export const [secret, other] = [newSecret(), newSecret()];
export const timestamp = Math.floor(Date.now() / 1000);
export const headersAt = (seconds: number) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': signatureOf([keyOf(other), keyOf(secret)], 'evt_1', seconds, body),
});

export const isInstalled = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0;
