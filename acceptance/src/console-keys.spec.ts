// The API keys of the console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { newOrganization } from './support/operator.config.js';

describeInBrowser('the keys of the console', () => {
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
  });
  afterAll(() => browser.close());

  it('are created with the scopes that were chosen, shown once, listed without their secret, and revoked', async () => {
    const { page, faults } = await browser.openSignedIn(await newOrganization(browser.dataDir, 'free'));
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('This session').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const create = page.getByRole('button', { name: 'Create', exact: true });
    expect(await create.isDisabled()).toBe(true);
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('checkbox', { name: 'files:read' }).check();
    await page.getByText('A key cannot outlive the key of this session.').waitFor();
    const problems = await browser.inspect(page, 'keys-create');
    await create.click();
    const secret = await page.getByRole('dialog', { name: 'The key ci' }).locator('code').innerText();
    problems.push(...(await browser.inspect(page, 'keys-secret')));
    await page.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: 'files:read' });
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);
    problems.push(...(await browser.inspect(page, 'keys')));
    const made = new Kiln({ baseUrl: browser.baseUrl, apiKey: secret });
    expect((await made.organization.getMe()).scopes).toStrictEqual(['files:read']);
    await row.getByRole('button', { name: /^Revoke ci/ }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('ci is revoked.').waitFor();
    await row.waitFor({ state: 'detached' });
    await expect(made.organization.getMe()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('that the page itself uses end the session when they are revoked', async () => {
    const { page } = await browser.openSignedIn(await newOrganization(browser.dataDir, 'free'));
    await page.getByRole('link', { name: 'API keys' }).click();
    const own = page.getByRole('row').filter({ hasText: 'This session' });
    await own.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('you will be signed out at once').waitFor();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key is no longer valid').waitFor();
  });
});
