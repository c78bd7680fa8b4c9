// The analytics and the request log of the console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser, pressShortcut } from './support/console-browser.js';
import { newOrganizationWithKey } from './support/operator.config.js';

const COMPLETED = 3;
const REQUESTS = 120;
const MISSING = 'file_01890000000070008000000000000000';

describeInBrowser('operations in the console', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'free');
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    ({ page, faults } = await browser.openWithKey(apiKey));
  });
  afterAll(() => browser.close());

  /** The cells of the last row of the table below a plot. */
  async function lastDay(figure: string): Promise<string[]> {
    const area = page.getByRole('region', { name: figure });
    await area.getByText('Show as a table').click();
    const cells = await area.getByRole('row').last().locator('td').allInnerTexts();
    await area.getByText('Show as a table').click();
    return cells;
  }

  it('say what to do before there is anything to show', async () => {
    const volume = page.getByRole('region', { name: 'Volume' });
    await pressShortcut(page, 'g a', volume.getByText('Nothing in 30 days'));
    const problems = await browser.inspect(page, 'analytics-empty');
    await volume.getByRole('button', { name: 'Show 90 days' }).click();
    await page.getByText('Nothing in 90 days').first().waitFor();
    expect(new URL(page.url()).searchParams.get('days')).toBe('90');
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('plot the numbers of the API, for the range in the address, with a table and CSV', async () => {
    for (let number = 0; number < COMPLETED; number += 1) {
      const content = `Batch ${number} was fired at 1200 degrees. `.repeat(200 * (number + 1));
      await kiln.files.create({ filename: `batch-${number}.md`, content, space: `kiln-${number % 2}` }, { wait: 30 });
    }
    await kiln.files.create({ filename: 'broken.pdf', content: '%PDF-1.7 and no more', space: 'kiln-0' }, { wait: 30 });
    const today = await eventually(async () => {
      const day = (await kiln.analytics.getVolume({ days: 7 })).data.at(-1);
      if (day?.uploads !== COMPLETED + 1 || day.processed + day.failed !== day.uploads) throw new Error('not counted');
      return day;
    });
    await page.goto(`${browser.baseUrl}/console/analytics?days=7`);
    await page.getByRole('img', { name: /^Files and jobs by day/ }).waitFor();
    expect(await lastDay('Volume')).toStrictEqual([today.uploads, today.processed, today.failed].map(String));
    const rows = page.getByRole('region', { name: 'Volume' }).getByRole('row', { includeHidden: true });
    expect(await rows.count()).toBe(8);

    const { spaces } = await kiln.analytics.getSpaceHealth();
    const names = page.getByRole('region', { name: 'Spaces' }).getByRole('rowheader');
    await eventually(async () => expect(await names.allInnerTexts()).toStrictEqual(spaces.map(({ space }) => space)));
    const [failure] = (await kiln.analytics.listTopFailures()).failures;
    const reason = page.getByRole('row', { name: failure?.reason.replaceAll('_', ' ') ?? '?' });
    expect(await reason.locator('td').first().innerText()).toBe(String(failure?.count));
    const { pages_used: used } = await kiln.organization.getUsage();
    await page.getByRole('region', { name: 'Usage' }).getByText(String(used), { exact: true }).waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download kiln-volume.csv' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    const { date, uploads, uploaded_bytes: bytes, processed, failed } = today;
    expect([lines.length, lines.at(0), lines.at(-1)]).toStrictEqual([
      8,
      'date,uploads,uploaded_bytes,processed,failed',
      [date, uploads, bytes, processed, failed].join(','),
    ]);
    await page.getByRole('img', { name: /^Files and jobs by day/ }).hover();
    const problems = await browser.inspect(page, 'analytics');
    await page.getByRole('region', { name: 'Providers' }).scrollIntoViewIfNeeded();
    problems.push(...(await browser.inspect(page, 'analytics-tables')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('list the requests of the keys, filter them in the address, and copy one as curl', async () => {
    await kiln.files.get(MISSING).catch(() => undefined);
    await eventually(async () => {
      const { logs } = await kiln.requestLog.list({ status: 404 });
      if (logs.length === 0) throw new Error('not logged');
    });
    await page.goto(`${browser.baseUrl}/console`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const table = page.getByRole('table', { name: 'Requests' });
    await pressShortcut(page, 'g l', table.getByText('/v1/files').first());
    const problems = await browser.inspect(page, 'logs');
    await page.getByLabel('Status').fill('404');
    const rows = table.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await rows.first().getByText('404').waitFor();
    await page.waitForURL(/status=404/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = rows.filter({ hasText: MISSING }).getByRole('button', { name: /^Copy GET .* as curl$/ });
    // The word is shown for a moment only.
    await Promise.all([page.getByRole('button', { name: 'Copied' }).waitFor(), copy.click()]);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl '${browser.baseUrl}/v1/files/${MISSING}' \\\n  -H "Authorization: ApiKey $KILN_API_KEY"`,
    );
    await page.getByLabel('Beginning of the path').fill('/v1/nothing');
    await page.getByText('No request matches').waitFor();
    problems.push(...(await browser.inspect(page, 'logs-no-match')));
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await table.getByText('200').first().waitFor();
    expect([new URL(page.url()).search, problems, faults]).toStrictEqual(['', [], []]);
  });

  it('render only the visible requests of a long list, and load the next ones', async () => {
    await Promise.all(Array.from({ length: REQUESTS }, () => kiln.organization.getMe()));
    // They are logged in batches.
    await eventually(async () => {
      const logged = await kiln.requestLog.list({ path: '/v1/me', limit: 100 }).all({ limit: REQUESTS });
      expect(logged).toHaveLength(REQUESTS);
    });
    await page.goto(`${browser.baseUrl}/console/logs?path=/v1/me`);
    const row = (number: number) => page.locator(`[role="row"][aria-rowindex="${number + 1}"]`);
    await row(1).waitFor();
    expect(await row(100).count()).toBe(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await row(1).getByRole('button').focus();
    // Scrolls to the end. Each scroll loads the next page.
    await eventually(async () => {
      await page.keyboard.press('PageDown');
      if (!(await row(REQUESTS).isVisible())) throw new Error('not there yet');
    });
    expect(await row(1).count()).toBe(0);
    expect(faults).toStrictEqual([]);
  });

  it('are listed for keys with their scopes only', async () => {
    const { key } = await kiln.apiKeys.create({
      name: 'reader',
      mode: 'live',
      scopes: ['files:read', 'analytics:read'],
    });
    const other = await browser.open('/console');
    await other.page.getByLabel('API key').fill(key);
    await other.page.getByLabel('API key').press('Enter');
    await other.page.getByRole('link', { name: 'Analytics' }).click();
    await other.page.getByRole('region', { name: 'Volume' }).getByRole('img').waitFor();
    expect(await other.page.getByRole('region', { name: 'Usage' }).count()).toBe(0);
    expect(await other.page.getByRole('link', { name: 'Request log' }).count()).toBe(0);
    await other.page.goto(`${browser.baseUrl}/console/logs`);
    await other.page.getByText('This key lacks the scope logs:read').waitFor();
    expect(await browser.inspect(other.page, 'not-permitted')).toStrictEqual([]);
  });
});
