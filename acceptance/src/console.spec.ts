/** @slow */
// The console in a browser, as a first user meets it. Pictures of its pages are in .kiln-tests/console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { startCuttingProxy } from './support/cut-connections.js';
import { kiln, newOrganization, newOrganizationWithKey } from './support/operator.config.js';

const SAMPLES = ['firing-guide.md', 'supply-contract.pdf', 'glaze-stock.csv', 'safety-notice.html', 'firing-curve.png'];
const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">.txt';
const FIRST_VIEW_GZIP_BYTES_MAX = 250_000;

const sessionOf = (page: Page) =>
  page.evaluate<{ apiKey: string; keyId: string }>(`JSON.parse(sessionStorage.getItem('kiln.session'))`);

describeInBrowser('the console', () => {
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
  });
  afterAll(() => browser.close());

  it('leads from the printed link to processed samples, on pages that are accessible in both themes', async () => {
    const { page, faults } = await browser.openSignedIn(await newOrganization(browser.dataDir, 'enterprise'));
    await page.getByText('No files yet').waitFor();
    const problems = await browser.inspect(page, 'home-empty');
    await page.getByRole('button', { name: 'Load samples' }).click();
    const activity = page.getByRole('list', { name: 'Files that changed last' });
    for (const name of SAMPLES) {
      await activity.getByRole('listitem').filter({ hasText: name }).getByText('completed').waitFor();
    }
    problems.push(...(await browser.inspect(page, 'home')));
    await page.getByRole('link', { name: 'Files' }).click();
    for (const name of SAMPLES) await page.getByRole('row').filter({ hasText: name }).getByText('completed').waitFor();
    await page.getByRole('checkbox', { name: 'Select glaze-stock.csv' }).click();
    problems.push(...(await browser.inspect(page, 'files')));
    await page.getByRole('button', { name: 'Reprocess' }).click();
    await page.getByText('1 file queued.').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    problems.push(...(await browser.inspect(page, 'shortcuts')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('keeps the code of a link and the key out of the address and of lasting storage', async () => {
    const { page } = await browser.openSignedIn(await newOrganization(browser.dataDir, 'free'));
    expect(page.url()).toBe(`${browser.baseUrl}/console/`);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toMatch('kiln_live_');
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });

  it('refuses a link that was used, and revokes its key when the user signs out', async () => {
    const link = await browser.signInLink(await newOrganization(browser.dataDir, 'free'));
    const first = await browser.open(link);
    await first.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const { apiKey } = await sessionOf(first.page);
    const { page, faults } = await browser.open(link);
    await page.getByText('This sign-in link no longer works').waitFor();
    const problems = await browser.inspect(page, 'sign-in-used-link');
    await first.page.getByRole('button', { name: 'Sign out' }).click();
    await first.page.getByText('You are signed out.').waitFor();
    const revoked = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    await expect(revoked.organization.getMe()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('says what is wrong with a key, with the id of the request', async () => {
    const { page } = await browser.open('/console/files?status=failed');
    const key = page.getByLabel('API key');
    await key.fill('my key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not an API key').waitFor();
    await key.fill(`kiln_live_${'Z'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The API key is not valid' });
    await alert.getByText(/Request [0-9a-f-]{36}/).waitFor();
    expect(await browser.inspect(page, 'sign-in')).toStrictEqual([]);
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'free');
    await key.fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The address that was opened first is shown.
    await page.getByText('No file matches').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  it('ends the session of a key that was revoked, and says so', async () => {
    const { page } = await browser.openSignedIn(await newOrganization(browser.dataDir, 'free'));
    const { apiKey, keyId } = await sessionOf(page);
    await new Kiln({ baseUrl: browser.baseUrl, apiKey }).apiKeys.delete(keyId);
    // A request in the background may end the session first, and then there is no link.
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByText('The key is no longer valid').waitFor();
  });

  it('shows hostile file names as text', async () => {
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'free');
    await new Kiln({ baseUrl: browser.baseUrl, apiKey }).files.create({ filename: HOSTILE, content: 'harmless' });
    const { page, faults } = await browser.openWithKey(apiKey);
    await page.getByText(HOSTILE).waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('row').getByText(HOSTILE).waitFor();
    expect([await page.title(), await page.locator('img[src="x"]').count(), faults]).toStrictEqual([
      'Files – Kiln',
      0,
      [],
    ]);
  });

  it('shows a text as it is written, if it nests too deep to be rendered', async () => {
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'free');
    const content = `${'>'.repeat(5_000)} the innermost quote`;
    const kilnOfIt = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    const { id } = await kilnOfIt.files.create({ filename: 'deep.md', content }, { wait: 30 });
    const { page, faults } = await browser.openWithKey(apiKey);
    await page.goto(`${browser.baseUrl}/console/files/${id}`);
    await page.getByRole('region', { name: 'Text' }).getByText('the innermost quote').waitFor();
    expect(faults).toStrictEqual([]);
  });

  it('shows test mode without doubt, and no control that the key may not use', async () => {
    const organizationId = await newOrganization(browser.dataDir, 'free');
    const words = [
      'key',
      'create',
      '--org',
      organizationId,
      '--name',
      'reader',
      '--mode',
      'test',
      '--scopes',
      'files:read',
    ];
    const [, apiKey = ''] = (await kiln(browser.dataDir, ...words)).trim().split('  ');
    const { page, faults } = await browser.open('/console/');
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You see test data.').waitFor();
    await page.getByText('Every 5 s').waitFor();
    expect(await page.getByRole('button', { name: /Upload|Load samples/ }).count()).toBe(0);
    const problems = await browser.inspect(page, 'home-test-mode');
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('says when the server does not answer, and continues when it is back', async () => {
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'free');
    const proxy = await startCuttingProxy(browser.baseUrl);
    const behindProxy = await ConsoleBrowser.launch(proxy.url, browser.dataDir);
    try {
      const { page, faults } = await behindProxy.openWithKey(apiKey);
      await page.getByText('No files yet').waitFor();
      proxy.setAway(true);
      await page.getByText('The server does not answer.').waitFor();
      await new Kiln({ baseUrl: browser.baseUrl, apiKey }).files.create({ filename: 'meanwhile.txt', content: 'text' });
      const problems = await behindProxy.inspect(page, 'home-away');
      expect(await page.getByText('meanwhile.txt').count()).toBe(0);
      proxy.setAway(false);
      await page.getByText('The server does not answer.').waitFor({ state: 'hidden' });
      await page.getByText('meanwhile.txt').waitFor();
      // The stream of events is open again.
      await new Kiln({ baseUrl: browser.baseUrl, apiKey }).files.create({
        filename: 'afterwards.txt',
        content: 'text',
      });
      await page.getByText('afterwards.txt').waitFor();
      expect([problems, faults]).toStrictEqual([[], []]);
    } finally {
      await behindProxy.close();
      await proxy.close();
    }
  });

  it('loads at most 250 kB (gzip) for its first view', async () => {
    const page = await browser.blank();
    const paths = new Set<string>();
    page.on('request', (request) => paths.add(new URL(request.url()).pathname));
    await page.goto(await browser.signInLink(await newOrganization(browser.dataDir, 'free')));
    await page.getByText('No files yet').waitFor();
    const files = [...paths].filter((path) => path.startsWith('/console/'));
    const sizes = await Promise.all(
      files.map(async (path) => gzipSync(await (await fetch(`${browser.baseUrl}${path}`)).bytes()).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect([files.length > 3, total < FIRST_VIEW_GZIP_BYTES_MAX]).toStrictEqual([true, true]);
  });
});
