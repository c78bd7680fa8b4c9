/** @slow */
// The connections of the console, with a bucket on loopback behind a proxy that can hold its responses. Pictures of its pages are in .kiln-tests/console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser, pressShortcut } from './support/console-browser.js';
import { startForeignBucket, type ForeignBucket } from './support/foreign-bucket.js';
import { startHoldingProxy, type HoldingProxy } from './support/holding-proxy.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const KEPT = 'contracts/lease.md';
const REMOVED = Array.from({ length: 21 }, (_, at) => `notes/${at}.txt`);
const WRONG_SECRET = 'a-secret-that-opens-nothing';

describeInBrowser('the connections of the console', () => {
  let system: SystemUnderTest;
  let browser: ConsoleBrowser;
  let bucket: ForeignBucket;
  let proxy: HoldingProxy;
  /** Whether the bucket leaves a request without a response, by its address. */
  let isHeld: (url: string) => boolean = () => false;
  let organizationId: string;
  let apiKey: string;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    bucket = await startForeignBucket();
    proxy = await startHoldingProxy(bucket.endpoint, ({ url = '' }) => isHeld(url));
    for (const key of [KEPT, ...REMOVED]) await bucket.put(key, `Text of ${key}`);
    system = await systemUnderTest();
    browser = await ConsoleBrowser.launch(system.client.baseUrl, system.dataDir);
    ({ organizationId, apiKey } = await newOrganizationWithKey(system.dataDir));
    ({ page, faults } = await browser.openWithKey(apiKey));
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
    await proxy.close();
    await bucket.remove();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const newest = () => page.getByRole('region', { name: 'Syncs' }).getByRole('row').nth(1);
  const objects = () => page.getByRole('region', { name: 'Objects' });

  it('are set up with texts to copy, and show why the provider refuses a secret', async () => {
    await pressShortcut(page, 'g c', page.getByText('No connections yet'));
    const problems = await browser.inspect(page, 'connections-empty');
    await page.getByRole('link', { name: 'Connect a bucket' }).click();
    await page.getByRole('link', { name: 'Amazon S3' }).click();
    const trust = JSON.parse(await page.getByLabel('Trust policy', { exact: true }).innerText()) as object;
    expect(JSON.stringify(trust)).toContain(`"sts:ExternalId":"${organizationId}"`);
    problems.push(...(await browser.inspect(page, 'connection-setup-role')));

    await page.getByRole('link', { name: /^MinIO/ }).click();
    await page.getByLabel('Endpoint').fill(proxy.url);
    await page.getByLabel('Access key id').fill(bucket.accessKeyId);
    await page.getByLabel('Secret access key').fill(WRONG_SECRET);
    await page.getByLabel('Bucket', { exact: true }).fill(bucket.bucket);
    await button('Verify and connect').click();
    await page.getByText(/refused the credentials/).waitFor();
    await page.getByText('The same from a terminal or a program').click();
    expect(await page.getByLabel('curl command').innerText()).toContain('<secret_access_key>');
    expect(await page.getByRole('main').innerText()).not.toContain(WRONG_SECRET);
    problems.push(...(await browser.inspect(page, 'connection-setup-refused')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('are created after the bucket was listed, and never show the secret again', async () => {
    await page.getByLabel('Secret access key').fill(bucket.secretAccessKey);
    await page.getByLabel('Bucket', { exact: true }).fill('');
    await button('List the buckets').click();
    await page.getByLabel('Buckets').selectOption(bucket.bucket);
    await button('Verify and connect').click();
    await page.getByRole('heading', { name: bucket.bucket, level: 1 }).waitFor();
    await page.getByText('No syncs yet').waitFor();
    const problems = await browser.inspect(page, 'connection-new');
    await button('Edit').click();
    await page.getByLabel('Name').fill('Their contracts');
    await page.getByRole('checkbox', { name: 'Replace the credentials' }).check();
    expect(await page.getByLabel('Secret access key').inputValue()).toBe('');
    problems.push(...(await browser.inspect(page, 'connection-edit')));
    await page.getByRole('checkbox', { name: 'Replace the credentials' }).uncheck();
    await button('Save').click();
    await page.getByRole('heading', { name: 'Their contracts', level: 1 }).waitFor();
    await button('Test').click();
    await page.getByText('The bucket can be listed and read.').waitFor();
    expect(await page.content()).not.toContain(bucket.secretAccessKey);
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('list the objects of the bucket, by a prefix that the address has', async () => {
    await page.getByRole('link', { name: 'Objects in the bucket' }).click();
    await objects().getByText(KEPT).waitFor();
    const problems = await browser.inspect(page, 'connection-objects');
    await page.getByLabel('Beginning of the keys').fill('notes/2');
    await objects().getByText(KEPT).waitFor({ state: 'detached' });
    expect(await objects().getByRole('row').count()).toBe(3);
    await page.reload();
    await objects().getByText('notes/20.txt').waitFor();
    await page.getByLabel('Beginning of the keys').fill('nothing/');
    await page.getByText('No key begins with this prefix').waitFor();
    await button('Show all').click();
    await objects().getByText(KEPT).waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('preview a sync, run it to its end, and cancel the next one', async () => {
    await page.getByRole('link', { name: 'Syncs' }).click();
    await button('Preview').click();
    const preview = page.getByRole('dialog', { name: 'Preview of a sync' });
    await preview.getByText('New files').waitFor();
    expect(await preview.locator('dd').allInnerTexts()).toStrictEqual(['22', '0', '0']);
    const problems = await browser.inspect(page, 'connection-preview');
    await button('Sync now').click();
    await newest().getByText('22 added').waitFor();

    isHeld = () => true;
    await button('Sync').click();
    await page.getByText('of about 22 objects').waitFor();
    problems.push(...(await browser.inspect(page, 'connection-syncing')));
    await button('Cancel the sync').click();
    await newest().getByText('cancelled').waitFor();
    isHeld = () => false;
    problems.push(...(await browser.inspect(page, 'connection-synced')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('remove most nodes only with force, after the preview says how many', async () => {
    for (const key of REMOVED) await bucket.delete(key);
    await button('Sync').click();
    await page.getByText(/^Nothing was removed/).waitFor();
    const problems = await browser.inspect(page, 'connection-brake');
    await button('Sync with force').click();
    const dialog = page.getByRole('dialog', { name: 'Sync with force?' });
    await dialog.getByText('Files to remove').waitFor();
    expect(await dialog.locator('dd').allInnerTexts()).toStrictEqual(['0', '0', '21']);
    problems.push(...(await browser.inspect(page, 'connection-force')));
    await button('Sync and remove').click();
    await newest().getByText('21 removed').waitFor();
    expect(await page.getByText(/^Nothing was removed/).count()).toBe(0);
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('process what syncs have found', async () => {
    await button('Process files').click();
    const problems = await browser.inspect(page, 'connection-process');
    await button('Process').click();
    await page.getByText('1 file queued.').waitFor();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'lease.md' }).getByText('completed').waitFor();
    await page.goBack();
    await newest().waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('offer to a key that may only read them nothing that changes them', async () => {
    const owner = new Kiln({ baseUrl: system.client.baseUrl, apiKey });
    const { key } = await owner.apiKeys.create({ name: 'reader', mode: 'live', scopes: ['connections:read'] });
    const reader = await browser.open(new URL(page.url()).pathname);
    await reader.page.getByLabel('API key').fill(key);
    await reader.page.getByRole('button', { name: 'Sign in' }).click();
    await reader.page.getByText('21 removed').waitFor();
    for (const name of ['Process files', 'Test', 'Edit', 'Delete', 'Preview', 'Sync']) {
      expect(await reader.page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    expect(reader.faults).toStrictEqual([]);
  });

  it('show how far a sync is, and how long it takes from there', async () => {
    const keys = Array.from({ length: 2_000 }, (_, at) => `many/${at}.txt`);
    while (keys.length > 0) await Promise.all(keys.splice(0, 20).map((key) => bucket.put(key, 'Text.')));
    await button('Sync').click();
    await newest().getByText('2,000 added').waitFor();
    // The first page of the listing has 1,000 objects.
    isHeld = (url) => url.includes('continuation-token');
    await button('Sync').click();
    await page.getByText(/^1,000 of about 2,001 objects, about \S+ \S+ left$/).waitFor();
    const bar = page.getByRole('progressbar', { name: 'Progress of the sync' });
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeCloseTo(50, 0);
    const problems = await browser.inspect(page, 'connection-half-synced');
    isHeld = () => false;
    await button('Cancel the sync').click();
    await newest().getByText('cancelled').waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('are listed, and deleted', async () => {
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('row').filter({ hasText: 'Their contracts' }).getByText('active').waitFor();
    const problems = await browser.inspect(page, 'connections');
    await page.getByRole('link', { name: 'Their contracts' }).click();
    await button('Delete').click();
    problems.push(...(await browser.inspect(page, 'connection-delete')));
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No connections yet').waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });
});
