/** @slow */
// The console keeps the input of users while requests are under way and while others change the same data.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import type { Page, Request } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { newOrganization, newOrganizationWithKey } from './support/operator.config.js';

const PHONE = { width: 390, height: 844 };
/** How many uploads the console sends at a time. */
const AT_A_TIME = 4;

const keyOf = (page: Page) =>
  page.evaluate<string | undefined>(`JSON.parse(sessionStorage.getItem('kiln.session') ?? '{}').apiKey`);

/** Holds requests back until the function that it returns is called. */
async function holding(page: Page, url: string, method: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    // The page may have aborted the request.
    await route.continue().catch(() => undefined);
  });
  return release;
}

describeInBrowser('the console keeps what users do:', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;
  let page: Page;
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const { apiKey } = await newOrganizationWithKey(browser.dataDir);
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    ({ page } = await browser.openWithKey(apiKey));
  });
  afterAll(() => browser.close());

  it('the blank at which they pause, in a search', async () => {
    await page.getByRole('link', { name: 'Search' }).click();
    const field = page.getByLabel('Search', { exact: true });
    await field.pressSequentially('tin ');
    await page.waitForURL(/[?]q=tin$/);
    await field.pressSequentially('glaze');
    expect(await field.inputValue()).toBe('tin glaze');
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'tin glaze');
  });

  it('settings that are typed while others are saved', async () => {
    await page.goto(`${browser.baseUrl}/console/settings?tab=branding`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Acme');
    const release = await holding(page, '**/v1/org/branding', 'PUT');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await name.fill('Acme Ceramics');
    release();
    await page.getByText('The settings are saved.').waitFor();
    expect(await name.inputValue()).toBe('Acme Ceramics');
    await page.getByText('There are changes that are not saved.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => expect((await kiln.organization.getBranding()).name).toBe('Acme Ceramics'));
  });

  it('metadata that others add to a file while its form is open', async () => {
    const { id } = await kiln.files.create({ filename: 'a.md', content: 'A kiln.' }, { wait: 30 });
    await page.goto(`${browser.baseUrl}/console/files/${id}?tab=metadata`);
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByLabel('Key').last().fill('department');
    await page.getByLabel('Value').last().fill('purchasing');
    await kiln.files.update(id, { metadata: { year: '2026' } });
    const read = page.waitForResponse(async (response) => {
      if (!response.url().endsWith(`/v1/files/${id}`)) return false;
      // The body is gone if the page has aborted this request for a newer one.
      const file = (await response.json().catch(() => undefined)) as { metadata: Record<string, string> } | undefined;
      return file?.metadata['year'] === '2026';
    });
    // An event about the file: the page reads it again.
    await kiln.files.process(id);
    await read;
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The metadata is saved.').waitFor();
    expect((await kiln.files.get(id)).metadata).toStrictEqual({ department: 'purchasing', year: '2026' });
  });

  it('no selection of files for another list', async () => {
    await page.goto(`${browser.baseUrl}/console/files?q=a.md`);
    await page.getByRole('checkbox', { name: 'Select all loaded files' }).click();
    const selected = page.getByRole('region', { name: 'Selected files' });
    await selected.getByText('1 file selected').waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    await page.waitForURL('**/console/files');
    await selected.waitFor({ state: 'hidden' });
  });

  it('the page that they have gone to while a bucket is verified', async () => {
    await page.goto(`${browser.baseUrl}/console/connections/new?provider=selfhost_s3`);
    for (const [label, value] of [
      ['Endpoint', 'https://s3.example.com'],
      ['Access key id', 'id'],
      ['Secret access key', 'secret'],
      ['Bucket', 'documents'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/connections/verify', async (route) => {
      await released;
      await route.fulfill({ status: 201, json: { id: 'connection_00000000000000000000000000' } });
    });
    const sent = page.waitForRequest('**/v1/connections/verify');
    await page.getByRole('button', { name: 'Verify and connect' }).click();
    await sent;
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    release();
    await page.getByText('The bucket is connected.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/files');
  });

  it('the page, when they drop a file beside the zone for it', async () => {
    await page.goto(`${browser.baseUrl}/console/`);
    await page.getByText('Drop files or folders here').waitFor();
    const isOpened = await page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['A letter.'], 'dropped.txt'));
      const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
      return document.querySelector('h1').dispatchEvent(event);
    })()`);
    expect(isOpened).toBe(false);
  });

  it('what they copy, on a page without https, which has no clipboard', async () => {
    const { page: other } = await browser.openWithKey(await newKey());
    await other.addInitScript('delete Navigator.prototype.clipboard');
    await other.reload();
    await other.evaluate(`document.addEventListener('copy', () => (window.copied = document.activeElement.value))`);
    await other.getByText('Upload from a terminal or a program').click();
    await other.getByRole('button', { name: 'Copy the command' }).click();
    await eventually(async () => expect(await other.evaluate('window.copied')).toContain('/v1/upload'));
    await other.context().close();
  });

  it('the menu of a phone closed, when they go back', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${browser.baseUrl}/console/`);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).waitFor();
  });

  const newKey = async () => {
    const { key } = await kiln.apiKeys.create({ name: 'another', mode: 'live', scopes: ['*'] });
    return key;
  };

  it('nothing of an upload when they sign out', async () => {
    const { page: other } = await browser.openWithKey(await newKey());
    const release = await holding(other, '**/v1/upload', 'POST');
    const isUpload = (request: Request) => request.url().endsWith('/v1/upload');
    let [sent, ended] = [0, 0];
    other.on('request', (request) => void (sent += Number(isUpload(request))));
    other.on('requestfailed', (request) => void (ended += Number(isUpload(request))));
    const files = Array.from({ length: AT_A_TIME + 2 }, (_, index) => ({
      name: `left-${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('A letter.'),
    }));
    await other.getByLabel('Files to upload').setInputFiles(files);
    await eventually(() => expect(sent).toBe(AT_A_TIME));
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('You are signed out.').waitFor();
    await eventually(() => expect(ended).toBe(AT_A_TIME));
    release();
    expect(sent).toBe(AT_A_TIME);
    expect((await kiln.files.list({ search: 'left-' })).files).toStrictEqual([]);
    await other.context().close();
  });

  it('the buttons of failed uploads, which no message covers', async () => {
    const { page: other } = await browser.openWithKey(await newKey());
    let isRefused = true;
    await other.route('**/v1/upload', (route) => (isRefused ? route.abort() : route.continue()));
    await other.getByLabel('Files to upload').setInputFiles({
      name: 'refused.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('A letter.'),
    });
    await other.getByText('1 file could not be uploaded.').waitFor();
    isRefused = false;
    await other.getByRole('button', { name: '1 failed' }).click();
    await other.getByRole('button', { name: 'Send again' }).click();
    await eventually(async () => expect((await kiln.files.list({ search: 'refused.txt' })).files).toHaveLength(1));
    await other.context().close();
  });

  describe('while many files are deleted,', () => {
    beforeAll(async () => {
      for (let batch = 0; batch < 3; batch += 1) {
        const files = Array.from({ length: 50 }, (_, index) => ({
          filename: `kept-${batch}-${index}.txt`,
          size_bytes: 9,
        }));
        await kiln.batches.create({ files });
      }
    });

    /** Selects 150 files whose deletion is held back, and begins it. */
    async function beginDeletion(other: Page): Promise<() => void> {
      await other.getByRole('link', { name: 'Files' }).click();
      await other.getByLabel('Filter by name').fill('kept-');
      await other.getByText('150 files', { exact: true }).waitFor();
      const release = await holding(other, '**/v1/files', 'DELETE');
      await other.getByRole('checkbox', { name: 'Select all loaded files' }).click();
      await other.getByRole('button', { name: 'Delete' }).click();
      const sent = other.waitForRequest((request) => request.method() === 'DELETE');
      await other.getByRole('button', { name: 'Delete 150 files' }).click();
      await sent;
      return release;
    }
    const keptFiles = async () => (await kiln.files.list({ search: 'kept-', limit: 200 })).files;

    it('the way to stop many deletions, when they come back to the list', async () => {
      const { page: other } = await browser.openWithKey(await newKey());
      const release = await beginDeletion(other);
      await other.getByRole('link', { name: 'Home' }).click();
      await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await other.goBack();
      await other.getByRole('region', { name: 'Action under way' }).getByRole('button', { name: 'Stop' }).click();
      await other.getByText('Stopped. What was done stays done.').waitFor();
      release();
      expect(await keptFiles()).toHaveLength(150);
      await other.context().close();
    });

    it('what is left of many deletions when they sign out', async () => {
      const { page: other } = await browser.openWithKey(await newKey());
      const release = await beginDeletion(other);
      await other.getByRole('button', { name: 'Sign out' }).click();
      await other.getByText('Stopped. What was done stays done.').waitFor();
      release();
      expect(await keptFiles()).toHaveLength(150);
      await other.context().close();
    });
  });

  it('the session of a new link, also in a tab whose key has been revoked', async () => {
    const organizationId = await newOrganization(browser.dataDir, 'free');
    const { page: tab } = await browser.openSignedIn(organizationId);
    for (const path of ['/console/', '/console/keys']) {
      await tab.goto(browser.baseUrl + path);
      const former = (await keyOf(tab)) ?? '';
      const own = new Kiln({ baseUrl: browser.baseUrl, apiKey: former });
      const { api_keys: keys } = await own.apiKeys.list();
      const link = await browser.signInLink(organizationId);
      await own.apiKeys.delete(keys.find(({ prefix }) => former.startsWith(prefix))?.id ?? '');
      await tab.goto(link);
      await tab.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await eventually(async () => expect([undefined, former]).not.toContain(await keyOf(tab)));
      await tab.getByText('No files yet').waitFor();
    }
  });
});
