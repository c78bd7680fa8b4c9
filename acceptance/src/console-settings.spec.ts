// The settings of the console.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import type { Locator, Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser, pressShortcut } from './support/console-browser.js';
import { newOrganizationWithKey } from './support/operator.config.js';

const SECRET = 'sk-a-key-that-is-never-shown-again';
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#1a7140"/></svg>',
);

describeInBrowser('the settings of the console', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const { apiKey } = await newOrganizationWithKey(browser.dataDir, 'enterprise');
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    ({ page, faults } = await browser.openWithKey(apiKey));
  });
  afterAll(() => browser.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const isSaved = () => page.getByText('There are changes that are not saved.').waitFor({ state: 'detached' });
  const openTab = (name: RegExp) =>
    page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link', { name }).click();
  const describedBy = async (field: Locator) => {
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
  };

  it('are saved and in effect, show an error at its field, and keep what is not saved', async () => {
    const size = page.getByLabel('Size of chunks');
    await pressShortcut(page, 'g t', size);
    await size.fill('50');
    await page.getByLabel('Language of searches').selectOption('german');
    await button('Save').click();
    await page.getByText('Must be at least 100').waitFor();
    expect(await describedBy(size)).toContain('Must be at least 100');
    const problems = await browser.inspect(page, 'settings-refused');

    await openTab(/^Capabilities/);
    await page.getByText('What the operator or a provider key').waitFor();
    problems.push(...(await browser.inspect(page, 'settings-capabilities')));
    await openTab(/^Processing.*Not saved/);
    expect(await size.inputValue()).toBe('50');
    await page.getByRole('link', { name: 'Home' }).click();
    problems.push(...(await browser.inspect(page, 'settings-leave')));
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await size.fill('400');
    await page.getByLabel('Overlap of chunks').fill('100');
    await page.getByLabel('Instructions for answers').fill('Answer in one sentence.');
    await page.getByRole('checkbox', { name: /^layout/ }).check();
    await button('Save').click();
    await isSaved();
    expect(await kiln.organization.getSettings()).toMatchObject({
      default_chunking: { strategy: 'recursive', chunk_size: 400, chunk_overlap: 100 },
      default_variants: ['markdown', 'embeddings', 'metadata', 'searchable-index', 'layout'],
      search_language: 'german',
      answer_instructions: 'Answer in one sentence.',
    });
    problems.push(...(await browser.inspect(page, 'settings')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('have routing rules in the order in which they apply, and refuse what is no content type', async () => {
    await openTab(/^Routing rules/);
    await page.getByText('No routing rules yet').waitFor();
    const currentTabs = page.getByRole('navigation', { name: 'Parts of the settings' }).locator('[aria-current]');
    expect(await currentTabs.allInnerTexts()).toStrictEqual(['Routing rules']);
    const problems = await browser.inspect(page, 'settings-routing-empty');
    await button('Add a rule').click();
    const type = page.getByLabel('Content type');
    await type.fill('images');
    await button('Save').click();
    await page.getByText('Must be a media type').waitFor();
    expect(await describedBy(type)).toContain('Must be a media type');
    problems.push(...(await browser.inspect(page, 'settings-rule-refused')));
    await type.fill('image/*');
    await page.getByLabel('Engine').selectOption('image_extractor');
    await button('Save').click();
    await page.getByRole('row').filter({ hasText: 'image/*' }).waitFor();
    // A rule that is stored meanwhile is kept.
    const { rules } = await kiln.organization.getRoutingRules();
    await kiln.organization.setRoutingRules({
      rules: [...rules, { content_type: 'audio/*', provider: 'audio_extractor' }],
    });
    await button('Add a rule').click();
    await type.fill('image/svg+xml');
    await button('Save').click();
    await page.getByRole('row').filter({ hasText: 'image/svg+xml' }).waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toStrictEqual(['image/svg+xml', 'audio/*', 'image/*']);
    problems.push(...(await browser.inspect(page, 'settings-routing')));

    await button('Edit the rule for image/*').click();
    await page.getByLabel('Engine').selectOption('document_extractor');
    await button('Save').click();
    await page.getByRole('row').filter({ hasText: 'image/*' }).getByText('Documents').waitFor();
    await button('Delete the rule for audio/*').click();
    await button('Delete').click();
    await page.getByRole('row').filter({ hasText: 'audio/*' }).waitFor({ state: 'detached' });
    expect(await kiln.organization.getRoutingRules()).toStrictEqual({
      rules: [
        { content_type: 'image/*', provider: 'document_extractor' },
        { content_type: 'image/svg+xml', provider: 'document_extractor' },
      ],
    });
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('have provider keys that are never shown again', async () => {
    await openTab(/^Provider keys/);
    await page.getByText('No provider keys yet').waitFor();
    const problems = await browser.inspect(page, 'settings-keys-empty');
    await button('Add a key').click();
    await page.getByLabel('Key', { exact: true }).fill(SECRET);
    await page.getByLabel('URL of your own extractor').fill('https://extractor.example.com/read');
    await button('Save').click();
    await page.getByText('Must be whsec_').waitFor();
    problems.push(...(await browser.inspect(page, 'settings-key-refused')));
    await page.getByLabel('Provider', { exact: true }).selectOption('chat');
    await button('Save').click();
    await page
      .getByRole('row')
      .filter({ hasText: `…${SECRET.slice(-4)}` })
      .waitFor();
    await button('Test the key for Chat').click();
    // The operator has configured no chat model.
    await page.getByText('This installation has no server for this provider').waitFor();
    problems.push(...(await browser.inspect(page, 'settings-keys')));
    await button('Replace the key for Chat').click();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    await button('Cancel').click();
    expect(await page.content()).not.toContain(SECRET);
    await button('Delete the key for Chat').click();
    await button('Delete').click();
    await page.getByText('No provider keys yet').waitFor();
    expect(await kiln.providerKeys.list()).toStrictEqual({ provider_keys: [] });
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('have a branding with a preview, and the sites that may embed the portal', async () => {
    await openTab(/^Branding/);
    await page.getByLabel('Name').fill('Acme');
    await page.getByLabel('Colour', { exact: true }).fill('red');
    const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(50_000) };
    await page.getByLabel('Logo').setInputFiles(large);
    await page.getByText('The image has more than 48 KB.').waitFor();
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO });
    await button('Save').click();
    await page.getByText('Must be a colour such as').waitFor();
    await page.getByLabel('Colour', { exact: true }).fill('#1a7140');
    const preview = page.getByRole('figure', { name: 'Preview of the portal' });
    await preview.getByRole('img', { name: 'The logo' }).waitFor();
    const problems = await browser.inspect(page, 'settings-branding');
    await button('Save').click();
    await isSaved();
    expect(await kiln.organization.getBranding()).toStrictEqual({
      name: 'Acme',
      color: '#1a7140',
      logo: `data:image/svg+xml;base64,${LOGO.toString('base64')}`,
    });

    await openTab(/^Portal/);
    const sites = page.getByLabel('Sites that may embed the portal');
    await sites.fill('https://app.example.com\nhttps://app.example.com/path');
    await button('Save').click();
    await page.getByText(/^Origin 2: Must be an origin.*127.0.0.1 only$/).waitFor();
    problems.push(...(await browser.inspect(page, 'settings-portal')));
    await sites.fill('https://app.example.com');
    await button('Save').click();
    await isSaved();
    expect(await kiln.organization.getPortalSettings()).toStrictEqual({ frame_ancestors: ['https://app.example.com'] });
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('are only read with a key that may not change them', async () => {
    const { key } = await kiln.apiKeys.create({ name: 'reader', mode: 'live', scopes: ['org:read'] });
    const reader = await browser.open('/console/settings?tab=routing');
    await reader.page.getByLabel('API key').fill(key);
    await reader.page.getByRole('button', { name: 'Sign in' }).click();
    await reader.page.getByRole('row').filter({ hasText: 'image/*' }).waitFor();
    expect(await reader.page.getByRole('button', { name: /rule/ }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'Branding' }).click();
    expect(await reader.page.getByLabel('Name').isDisabled()).toBe(true);
    expect(await reader.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(reader.faults).toStrictEqual([]);
  });
});
