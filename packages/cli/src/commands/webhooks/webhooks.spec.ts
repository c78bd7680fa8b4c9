// What the commands of webhooks print and send.
import { expect, it } from '@jest/globals';
import { runKiln } from '../../fixtures/run-kiln.js';

const ID = 'wh_01h455vb4pex5vsknk084sn02q';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const webhook = {
  id: ID,
  url: 'https://example.com/hooks',
  events: ['file.created', 'job.failed'],
  spaces: ['contracts'],
  active: true,
  description: null,
  failing_since: null,
  last_error: null,
  disabled_reason: null,
  created_at: '2026-11-27 08:55:00',
};
const created = { 'POST /v1/webhooks': () => ({ ...webhook, secret: SECRET }) };
const words = ['webhooks', 'create', webhook.url, '--events', 'file.created,job.failed', '--spaces', 'contracts'];

it('create sends what is given, and prints the secret on a pipe', async () => {
  const { exit, out, err, requests } = await runKiln(words, { handlers: created });
  expect(requests.map(({ body }) => body)).toStrictEqual([
    { url: webhook.url, events: webhook.events, spaces: webhook.spaces },
  ]);
  expect(out.split('\n')).toStrictEqual([
    `id\t${ID}`,
    'url\thttps://example.com/hooks',
    'events\t["file.created","job.failed"]',
    'active\ttrue',
    'failing_since\t',
    `secret\t${SECRET}`,
    '',
  ]);
  expect([exit, err]).toStrictEqual([0, 'The secret is shown only now.\n']);
});

it('create prints the same for people on a terminal', async () => {
  const { out } = await runKiln(words, { handlers: created, isTerminal: true });
  expect(out.split('\n')).toStrictEqual([
    `id             ${ID}`,
    'url            https://example.com/hooks',
    'events         file.created, job.failed',
    'active         true',
    'failing_since  -',
    `secret         ${SECRET}`,
    '',
  ]);
});

it('create without events ends with 2, and sends nothing', async () => {
  const { exit, err, requests } = await runKiln(words.slice(0, 3));
  expect([exit, requests]).toStrictEqual([2, []]);
  expect(err).toContain("required option '--events <types>' not specified");
});

it('ls prints a table on a terminal, and tabs on a pipe', async () => {
  const handlers = { 'GET /v1/webhooks': () => ({ webhooks: [webhook], next_cursor: null }) };
  expect((await runKiln(['webhooks', 'ls'], { handlers, isTerminal: true })).out.split('\n')).toStrictEqual([
    'ID                             URL              EVENTS           ACTIVE  FAILING',
    `${ID}  https://exampl…  file.created, …  true    -`,
    '',
  ]);
  const piped = await runKiln(['webhooks', 'ls'], { handlers });
  expect(piped.out).toBe(`${ID}\t${webhook.url}\t["file.created","job.failed"]\ttrue\t\n`);
});

it('rm deletes a webhook with --yes, and asks nothing without a terminal', async () => {
  const handlers = { 'DELETE /v1/webhooks/:id': () => ({ deleted: true }) };
  const deleted = await runKiln(['webhooks', 'rm', ID, '--yes'], { handlers });
  expect(deleted).toMatchObject({ exit: 0, out: '', err: `${ID} deleted\n` });
  expect(deleted.requests.map(({ path }) => path)).toStrictEqual([`/v1/webhooks/${ID}`]);
  expect(await runKiln(['webhooks', 'rm', ID], { handlers })).toMatchObject({ exit: 2, requests: [] });
  expect(await runKiln(['webhooks', 'rm', 'file_1', '--yes'], { handlers })).toMatchObject({ exit: 2, requests: [] });
});
