// Searching and asking in the console. Pictures of its pages are in .kiln-tests/console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, cutAnswersOff, describeInBrowser, pressShortcut } from './support/console-browser.js';
import { newOrganizationWithKey } from './support/operator.config.js';

describeInBrowser('search in the console', () => {
  let browser: ConsoleBrowser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const { apiKey } = await newOrganizationWithKey(browser.dataDir);
    ({ page, faults } = await browser.openWithKey(apiKey));
    await page.getByRole('button', { name: 'Load samples' }).click();
    const activity = page.getByRole('list', { name: 'Files that changed last' });
    for (const name of ['firing-guide.md', 'supply-contract.pdf', 'glaze-stock.csv']) {
      await activity.getByRole('listitem').filter({ hasText: name }).getByText('completed').waitFor();
    }
  });
  afterAll(() => browser.close());

  it('finds passages while one types, marks the words, and filters by a click', async () => {
    const search = page.getByLabel('Search', { exact: true });
    await pressShortcut(page, 'g s', search);
    const problems = await browser.inspect(page, 'search-empty');
    await search.fill('tin');
    const results = page.getByRole('region', { name: 'Hybrid results' });
    await results.getByRole('listitem').filter({ hasText: 'firing-guide.md' }).locator('mark').first().waitFor();
    problems.push(...(await browser.inspect(page, 'search')));
    await results.getByRole('button', { name: 'type text/csv' }).first().click();
    await results.getByText('1 file matches').waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe('text/csv');
    await page.getByRole('button', { name: 'Remove the filter text/csv' }).click();
    await results.getByRole('listitem').filter({ hasText: 'firing-guide.md' }).first().waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('shows text, meaning and hybrid side by side, and says why one of them cannot take part', async () => {
    await page.goto(`${browser.baseUrl}/console/search?q=celadon&view=compare`);
    await page.getByRole('region', { name: 'Text results' }).getByText('firing-guide.md').first().waitFor();
    await page.getByRole('region', { name: 'Hybrid results' }).getByText('firing-guide.md').first().waitFor();
    // Without an embedding model a search by meaning is refused.
    await page
      .getByRole('alert')
      .getByText(/embedding/)
      .waitFor();
    expect([await browser.inspect(page, 'search-compare'), faults]).toStrictEqual([[], []]);
  });

  it('answers a question with a citation, which opens the page with its sentence lit', async () => {
    await page.goto(`${browser.baseUrl}/console/search?view=ask`);
    await page.getByLabel('Question').fill('How many days of notice end the supply contract?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer
      .getByRole('button', { name: /^Source 1: supply-contract.pdf, page \d/ })
      .first()
      .click();
    const picture = page.getByRole('img', { name: /^Page \d of supply-contract.pdf/ });
    await picture.waitFor();
    const region = await page.locator('.page-region').first().boundingBox();
    const image = await picture.boundingBox();
    expect(region?.y).toBeGreaterThan(image?.y ?? Infinity);
    expect((region?.y ?? Infinity) + (region?.height ?? 0)).toBeLessThan((image?.y ?? 0) + (image?.height ?? 0));
    expect([await browser.inspect(page, 'ask'), faults]).toStrictEqual([[], []]);
  });

  it('says that the end of an answer is missing', async () => {
    await cutAnswersOff(page);
    await page.getByLabel('Question').fill('When does the contract end?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('The answer was cut off: its end is missing.').waitFor();
    expect([await browser.inspect(page, 'ask-cut-off'), faults]).toStrictEqual([[], []]);
    await page.unrouteAll();
  });

  it('keeps what is searched in the address, and says what to do when nothing matches', async () => {
    await page.goto(`${browser.baseUrl}/console/search?q=zzzunknown&view=text`);
    await page.getByText('No passage matches').waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('zzzunknown');
    expect([await browser.inspect(page, 'search-no-match'), faults]).toStrictEqual([[], []]);
  });
});
