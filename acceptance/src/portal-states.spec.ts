// The portal while a document is processed, and after a request has failed.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { newOrganizationWithKey } from './support/operator.config.js';

const SPACE = 'customer-42';

describeInBrowser('the portal', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const { apiKey } = await newOrganizationWithKey(browser.dataDir);
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
  });
  afterAll(() => browser.close());

  async function openLink() {
    const { token } = await kiln.portal.createToken({ space: SPACE });
    return browser.open(`/portal#${new URLSearchParams({ token }).toString()}`);
  }

  it('shows the text of a document when it is read, and why a filter has failed', async () => {
    const { id } = await kiln.files.create({ filename: 'late.md', content: 'The latch.', space: SPACE }, { wait: 30 });
    const { page, faults } = await openLink();
    await page.getByRole('link', { name: 'late.md' }).waitFor();
    await page.clock.install();
    let isProcessed = false;
    await page.route(`**/v1/portal/files/${id}`, async (route) => {
      const response = await route.fetch();
      const file = (await response.json()) as object;
      await route.fulfill({ response, json: isProcessed ? file : { ...file, status: 'processing', variants: [] } });
    });
    await page.getByRole('link', { name: 'late.md' }).click();
    await page.getByText('It appears when the document is read.').waitFor();
    isProcessed = true;
    await page.clock.fastForward(5_000);
    await page.getByText('The latch.').waitFor();
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.route('**/v1/portal/files?*search=*', (route) =>
      route.fulfill({ status: 400, json: { error: 'No such words.', code: 'BAD_REQUEST' } }),
    );
    await page.getByLabel('Filter the documents').fill('latch');
    await page.clock.fastForward(250);
    await page.getByRole('alert').getByText('No such words.').waitFor();
    await page.unroute('**/v1/portal/files?*search=*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'late.md' }).waitFor();
    expect(faults).toStrictEqual([]);
    await page.context().close();
  });
});
