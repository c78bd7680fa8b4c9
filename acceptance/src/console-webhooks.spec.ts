// The webhooks of the console, with receivers on loopback.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { verifyWebhook } from '@kiln/sdk/webhooks';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser, pressShortcut } from './support/console-browser.js';
import { answer, startEndpoint, type Endpoint } from './support/endpoints.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

describeInBrowser('the webhooks of the console', () => {
  let system: SystemUnderTest;
  let browser: ConsoleBrowser;
  let endpoint: Endpoint;
  let page: Page;
  let faults: string[];
  let secret: string;

  beforeAll(async () => {
    system = await systemUnderTest();
    endpoint = await startEndpoint();
    browser = await ConsoleBrowser.launch(system.client.baseUrl, system.dataDir);
    const { apiKey } = await newOrganizationWithKey(system.dataDir);
    ({ page, faults } = await browser.openWithKey(apiKey));
  });
  afterAll(async () => {
    await browser.close();
    await endpoint.close();
    await system.stop();
  });

  const delivery = () => page.getByRole('region', { name: 'Delivery', exact: true });
  const deliveries = () => page.getByRole('region', { name: 'Deliveries' });

  it('are created with the types that were chosen, and show their secret once', async () => {
    await pressShortcut(page, 'g w', page.getByText('No webhooks yet'));
    const problems = await browser.inspect(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    const create = page.getByRole('button', { name: 'Create', exact: true });
    expect(await create.isDisabled()).toBe(true);
    await page.getByLabel('URL', { exact: true }).fill(endpoint.url);
    await page.getByRole('checkbox', { name: 'All, also later ones' }).uncheck();
    expect(await create.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'file.created' }).check();
    problems.push(...(await browser.inspect(page, 'webhooks-create')));
    await create.click();
    secret = await page.getByRole('dialog', { name: 'The signing secret' }).locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    problems.push(...(await browser.inspect(page, 'webhooks-secret')));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: endpoint.url }).getByText('file.created').waitFor();
    expect(await page.content()).not.toContain(secret);
    problems.push(...(await browser.inspect(page, 'webhooks')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('show the payload of a test event, and a program that verifies it as the endpoint received it', async () => {
    await page.getByRole('link', { name: endpoint.url }).click();
    await page.getByText('No deliveries yet').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await delivery().getByText('delivered', { exact: true }).waitFor();
    await delivery().getByText('The endpoint answered 204.').waitFor();
    const [received] = endpoint.received;
    const shown = JSON.parse(await delivery().getByLabel('Payload', { exact: true }).innerText()) as unknown;
    expect(shown).toStrictEqual(JSON.parse(received?.body ?? ''));

    const program = await delivery().getByLabel('Verification in TypeScript', { exact: true }).innerText();
    const body = JSON.parse(/^const body = (.*);$/m.exec(program)?.[1] ?? '') as string;
    expect(verifyWebhook({ body, headers: received?.headers ?? {}, secret })).toStrictEqual(shown);
    expect(program).toContain(String(received?.headers['webhook-id']));
    const problems = await browser.inspect(page, 'webhook-delivered');
    await delivery().getByRole('button', { name: 'Python' }).click();
    await delivery().getByLabel('Verification in Python', { exact: true }).getByText('verify_webhook(').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('show why a delivery fails, with the response of the endpoint, and send it again', async () => {
    endpoint.behave((response) => void response.writeHead(500).end('The <b>disk</b> is full.'));
    await page.getByRole('button', { name: 'Send test event' }).click();
    await delivery()
      .getByText(/answered 500/)
      .first()
      .waitFor();
    await delivery().getByLabel('Response body', { exact: true }).getByText('The <b>disk</b> is full.').waitFor();
    const problems = await browser.inspect(page, 'webhook-failing');
    const opened = page.url();
    endpoint.behave(answer(204));
    await delivery().getByRole('button', { name: 'Resend' }).click();
    await delivery().getByText('The endpoint answered 204.').waitFor();
    expect(page.url()).not.toBe(opened);
    const ids = endpoint.received.slice(-2).map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);

    await page.goto(opened);
    await delivery()
      .getByText(/answered 500/)
      .first()
      .waitFor();
    await deliveries().getByLabel('Status').selectOption('failed');
    await deliveries().getByText('No failed deliveries').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('replay a window of events, get another secret, are paused, and are deleted', async () => {
    await deliveries().getByRole('button', { name: 'Show all' }).click();
    await delivery().getByRole('button', { name: 'Close the delivery' }).click();
    await deliveries().getByRole('listitem').nth(2).waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    const problems = await browser.inspect(page, 'webhook-replay');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('2 events on the way again.').waitFor();
    await deliveries().getByRole('listitem').nth(4).getByText('webhook.test').waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    problems.push(...(await browser.inspect(page, 'webhook-rotate')));
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = await page.getByRole('dialog', { name: 'The signing secret' }).locator('code').innerText();
    expect(next).not.toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('checkbox', { name: 'Active' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('paused').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Delete' }).click();
    problems.push(...(await browser.inspect(page, 'webhook-delete')));
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('offer to a key that may only read them nothing that changes them', async () => {
    const { baseUrl, apiKey } = await system.newClient();
    const own = new Kiln({ baseUrl, apiKey });
    await own.webhooks.create({ url: endpoint.url, events: ['*'], headers: {} });
    const { key } = await own.apiKeys.create({ name: 'reader', mode: 'live', scopes: ['webhooks:read'] });
    const reader = await browser.open('/console/webhooks');
    await reader.page.getByLabel('API key').fill(key);
    await reader.page.getByRole('button', { name: 'Sign in' }).click();
    const link = reader.page.getByRole('link', { name: endpoint.url });
    await link.waitFor();
    expect(await reader.page.getByRole('button', { name: 'Create a webhook' }).count()).toBe(0);
    await link.click();
    await reader.page.getByText('No deliveries yet').waitFor();
    for (const name of ['Send test event', 'Edit', 'Replay', 'Rotate secret', 'Delete']) {
      expect(await reader.page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(reader.faults).toStrictEqual([]);
  });
});
