import { describe, expect, it } from '@jest/globals';
import { signedWebhook } from './testing.js';
import { verifyWebhook, WebhookVerificationError, type KilnEvent } from './webhooks.js';

const SECRET = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret').toString('base64')}`;
const event = {
  id: 'evt_01je53ryvyfgystm9fdmy9q2gg',
  type: 'webhook.test',
  created_at: '2026-11-21T09:30:08.000Z',
  org_id: 'org_01je53ryvyfgystm9fdmy9q2gg',
  data: { webhook_id: 'wh_01je53ryvyfgystm9fdmy9q2gg' },
} as KilnEvent;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('a request to a webhook', () => {
  it('that is signed is returned as an event, from text or bytes, and from both kinds of headers', () => {
    const { body, headers } = signedWebhook(event, SECRET);
    expect(verifyWebhook({ body, headers, secret: SECRET })).toStrictEqual(event);
    const bytes = new TextEncoder().encode(body);
    expect(verifyWebhook({ body: bytes, headers: new Headers(headers), secret: SECRET })).toStrictEqual(event);
    const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(verifyWebhook({ body, headers: listed, secret: SECRET })).toStrictEqual(event);
  });

  it('is accepted with either of two secrets, while one replaces the other', () => {
    const { body, headers } = signedWebhook(event, SECRET);
    expect(verifyWebhook({ body, headers, secret: [OTHER, SECRET] })).toStrictEqual(event);
  });

  it('with another secret, another body, another id or no signature is refused', () => {
    const { body, headers } = signedWebhook(event, SECRET);
    const wrong = [
      { body, headers, secret: OTHER },
      { body: `${body} `, headers, secret: SECRET },
      { body, headers: { ...headers, 'webhook-id': 'evt_2' }, secret: SECRET },
      { body, headers: {}, secret: SECRET },
    ];
    for (const request of wrong) expect(() => verifyWebhook(request)).toThrow(WebhookVerificationError);
    expect(() => verifyWebhook({ body, headers, secret: [] })).toThrow('secret must not be empty');
  });

  it.each([6, -6])('that is %i minutes old is refused', (minutes) => {
    const { body, headers } = signedWebhook(event, SECRET, minutesAgo(minutes));
    expect(() => verifyWebhook({ body, headers, secret: SECRET })).toThrow(WebhookVerificationError);
  });
});
