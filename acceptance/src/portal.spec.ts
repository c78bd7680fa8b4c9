/** @slow */
// The portal in a browser: from a link, and in a frame of a page of another origin.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, repositoryDirectory } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { ConsoleBrowser, cutAnswersOff, describeInBrowser } from './support/console-browser.js';
import { pdfOf } from './support/documents.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { startPortalHost, type PortalHost } from './support/portal-host.js';

const SPACE = 'customer-42';
const SAMPLES = join(repositoryDirectory, 'packages/console/public/samples');
const BUNDLE_GZIP_BYTES_MAX = 60_000;
/** A key has to live until a token is made with it. */
const KEY_MS = 2_000;
const AT = { at: ['wide', 'narrow'] } as const;
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#0b7a75"/></svg>`;
const HOSTILE = `# Notes of the <script>window.ran = 1</script>attacker

[click](javascript:window.ran=2) [site](https://example.com/page)

![remote](https://attacker.example/pixel.png) <img src="https://attacker.example/raw.png" onerror="window.ran=3">

<iframe src="https://attacker.example/frame"></iframe><style>@import 'https://attacker.example/style.css';</style>
<p style="background: url(https://attacker.example/background.png)" onclick="window.ran=4">styled</p>

The last paragraph is shown.
`;

describeInBrowser('the portal', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;
  let organizationId: string;
  let host: PortalHost;
  let stranger: PortalHost;
  let givesTokens = true;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    const made = await newOrganizationWithKey(browser.dataDir);
    organizationId = made.organizationId;
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey: made.apiKey });
    const logo = `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`;
    await kiln.organization.updateBranding({ name: 'Acme Ceramics', color: '#0b7a75', logo });
    const samples = ['supply-contract.pdf', 'firing-guide.md', 'glaze-stock.csv'];
    const log = await pdfOf('This is leaf 1 of the log.', 'This is leaf 2 of the log.');
    const sources = [
      ...samples.map((name) => new File([readFileSync(join(SAMPLES, name))], name)),
      new File([Buffer.from(log)], 'kiln-log.pdf'),
    ];
    const uploads = await Promise.all(sources.map((source) => kiln.files.upload(source, { space: SPACE })));
    await Promise.all(uploads.map(({ job_id: jobId }) => kiln.jobs.waitFor(jobId ?? '')));
    const options = { kilnUrl: browser.baseUrl, organizationId };
    host = await startPortalHost({ ...options, newToken: async () => (givesTokens ? newToken() : null) });
    stranger = await startPortalHost({ ...options, newToken });
  });
  afterAll(async () => {
    await host.close();
    await stranger.close();
    await browser.close();
  });

  const newToken = async () => (await kiln.portal.createToken({ space: SPACE })).token;
  const openLink = async (fragment = '') =>
    browser.open(`/portal#${new URLSearchParams({ token: await newToken() }).toString()}${fragment}`);

  async function frameOf(page: Page): Promise<Frame> {
    await page.locator('iframe').waitFor();
    const frame = page.frames().find((one) => one !== page.mainFrame());
    if (!frame) throw new Error('the page has no frame');
    return frame;
  }

  /** The documents are shown in the frame of the page. */
  async function openFramed(page: Page): Promise<Frame> {
    await page.goto(host.origin);
    const frame = await frameOf(page);
    await frame.getByRole('link', { name: 'supply-contract.pdf' }).waitFor();
    return frame;
  }

  const isLit = (frame: Frame) =>
    frame.evaluate<boolean>(`(() => {
      const [image, region] = ['.passage img', '.passage .page-region'].map((one) => document.querySelector(one)?.getBoundingClientRect());
      return image !== undefined && region !== undefined && region.height > 0 && region.top > image.top && region.bottom < image.bottom;
    })()`);

  it('is shown in no frame until its organization lists the origin, and then in no other', async () => {
    const page = await browser.blank();
    const isRefused = async () => (await frameOf(page)).url().startsWith('chrome-error:');
    await page.goto(host.origin);
    await eventually(isRefused);
    await kiln.organization.updatePortalSettings({ frame_ancestors: [host.origin] });
    await eventually(async () => {
      await page.goto(host.origin, { waitUntil: 'load' });
      return !(await isRefused());
    });
    await page.goto(stranger.origin);
    await eventually(isRefused);
    expect(stranger.tokensAsked()).toBe(0);
    await page.context().close();
  });

  it('finds, asks and lights what is cited, in a frame that has the height of its content', async () => {
    const page = await browser.blank();
    const frame = await openFramed(page);
    await frame.getByText('Acme Ceramics').waitFor();
    const problems = await browser.inspect(page, 'portal-framed', { ...AT, frame });
    await eventually(
      async () =>
        (await page.locator('iframe').evaluate((element) => element.clientHeight)) ===
        (await frame.evaluate<number>('document.documentElement.scrollHeight')),
    );

    await frame.getByRole('link', { name: 'Search' }).click();
    await frame.getByLabel('Search the documents').fill('notice');
    const results = frame.getByRole('region', { name: 'Results' });
    const result = results.getByRole('listitem').filter({ hasText: 'supply-contract.pdf' }).first();
    await result.locator('mark').first().waitFor();
    await result.getByRole('button', { name: /^Show page/ }).click();
    await frame.getByRole('img', { name: /^Page \d of supply-contract.pdf/ }).waitFor();
    expect(await isLit(frame)).toBe(true);
    problems.push(...(await browser.inspect(page, 'portal-framed-search', { ...AT, frame })));

    await frame.getByRole('link', { name: 'Ask' }).click();
    await frame.getByLabel('Question').fill('How may each party end the contract?');
    await frame.getByLabel('Question').press('Enter');
    const citation = frame.getByRole('button', { name: /^Source 1: supply-contract.pdf, page \d/ }).first();
    await citation.click();
    await frame.getByRole('img', { name: /^Page \d of supply-contract.pdf/ }).waitFor();
    expect(await isLit(frame)).toBe(true);
    problems.push(...(await browser.inspect(page, 'portal-framed-ask', { ...AT, frame })));
    await page.keyboard.press('Escape');
    expect(await citation.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);

    await cutAnswersOff(page);
    await frame.getByRole('button', { name: 'Ask' }).click();
    await frame.getByText('The answer was cut off: its end is missing.').waitFor();
    problems.push(...(await browser.inspect(page, 'portal-framed-cut-off', { ...AT, frame })));
    expect(problems).toStrictEqual([]);
    await page.context().close();
  });

  it('is renewed by the page around it, and says calmly that it has expired when it is not', async () => {
    const page = await browser.blank();
    await page.clock.install();
    const before = host.tokensAsked();
    const frame = await openFramed(page);
    expect(host.tokensAsked()).toBe(before + 1);
    await frame.getByLabel('Filter the documents').fill('contract');
    const verified = page.waitForResponse((response) => response.url().endsWith('/verify'));
    await page.clock.fastForward('59:30');
    await (await verified).finished();
    // A later answer has arrived, so the page has read the earlier one.
    await frame.evaluate(`fetch('/livez').then((response) => response.text())`);
    expect(host.tokensAsked()).toBe(before + 2);
    // The first token has expired. The view is the same one, with its filter.
    await page.clock.fastForward('00:31');
    expect(await frame.getByLabel('Filter the documents').inputValue()).toBe('contract');

    givesTokens = false;
    await page.clock.fastForward('01:00:00');
    await frame.getByRole('heading', { name: 'Your access has expired' }).waitFor();
    expect(await browser.inspect(page, 'portal-expired', { ...AT, frame })).toStrictEqual([]);
    expect(await frame.getByRole('heading').allTextContents()).toStrictEqual(['Your access has expired']);
    givesTokens = true;
    // The function of the snippet is not reachable from here: the message is the same.
    const message = { type: 'kiln.portal.token', version: 1, token: await newToken() };
    await page.evaluate(`frames[0].postMessage(${JSON.stringify(message)}, '${browser.baseUrl}')`);
    await frame.getByRole('link', { name: 'supply-contract.pdf' }).waitFor();
    await page.context().close();
  });

  it('takes a token from the page around it, and from no other frame', async () => {
    const page = await browser.blank();
    const verified: string[] = [];
    page.on('request', (request) => {
      const [, token] = /\/tokens\/(\w+)\/verify$/.exec(request.url()) ?? [];
      if (token !== undefined) verified.push(token);
    });
    await openFramed(page);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${stranger.origin}/empty' }))`,
    );
    await eventually(() => page.frames().some((frame) => frame.url() === `${stranger.origin}/empty`));
    const messageOf = (token: string) => JSON.stringify({ type: 'kiln.portal.token', version: 1, token });
    const [foreign, own] = [await newToken(), await newToken()];
    const sibling = page.frames().find((frame) => frame.url().startsWith(stranger.origin));
    await sibling?.evaluate(`parent.frames[0].postMessage(${messageOf(foreign)}, '*')`);
    const next = page.waitForRequest((request) => request.url().includes(own));
    await page.evaluate(`frames[0].postMessage(${messageOf(own)}, '*')`);
    await next;
    expect(sibling).toBeDefined();
    expect(verified).not.toContain(foreign);
    await page.context().close();
  });

  it('opens from a link whose token leaves the address and is stored nowhere, and shows a document', async () => {
    const { page, faults } = await openLink();
    await page.getByRole('link', { name: 'kiln-log.pdf' }).waitFor();
    const stored =
      '[location.href, document.cookie, JSON.stringify([{ ...localStorage }, { ...sessionStorage }])].join()';
    expect(await page.evaluate(stored)).not.toMatch('kiln_pt_');
    const problems = await browser.inspect(page, 'portal-files', AT);
    await page.getByRole('link', { name: 'kiln-log.pdf' }).click();
    await page.getByRole('heading', { name: 'kiln-log.pdf', level: 1 }).waitFor();
    await page
      .getByRole('region', { name: 'Text' })
      .getByText(/leaf 1/)
      .waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('img', { name: 'Page 2 of kiln-log.pdf' }).waitFor();
    problems.push(...(await browser.inspect(page, 'portal-file', AT)));
    await page.getByText('Other forms of this document').click();
    const url = await page.getByRole('link', { name: 'Text, as markdown' }).getAttribute('href');
    expect((await fetch(url ?? '')).status).toBe(200);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('kiln-log.pdf');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect([problems, faults]).toStrictEqual([[], []]);
    await page.context().close();
  });

  it('runs nothing of a hostile document, and requests nothing from elsewhere', async () => {
    const { id } = await kiln.files.create({ filename: 'hostile.md', content: HOSTILE, space: SPACE }, { wait: 30 });
    const { page, faults } = await openLink();
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.goto(`${browser.baseUrl}/portal#view=file&id=${id}`);
    const text = page.getByRole('region', { name: 'Text' });
    await text.getByText('The last paragraph is shown.').waitFor();
    const links = await text.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toStrictEqual(['https://example.com/page']);
    await text.getByText('click').first().click();
    await text.getByText('styled').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await text.locator('img, svg, iframe, style, script, [style], [onclick], [onerror]').count()).toBe(0);
    expect([...origins].filter((origin) => origin !== 'null')).toStrictEqual([browser.baseUrl]);
    expect([await browser.inspect(page, 'portal-hostile', AT), faults]).toStrictEqual([[], []]);
    await page.context().close();
  });

  it('shows neither the documents of other spaces nor more than a calm page without access', async () => {
    const other = await kiln.files.create({ filename: 'secret.md', content: 'secret', space: 'other' }, { wait: 30 });
    const { token } = await kiln.portal.createToken({ space: SPACE });
    const { page } = await browser.open(`/portal#token=${token}&view=file&id=${other.id}`);
    await page.getByRole('heading', { name: 'There is no such document' }).waitFor();
    const problems = await browser.inspect(page, 'portal-unknown', AT);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByLabel('Search the documents').fill('notice');
    await page.getByText('No connection. The page continues').waitFor();
    problems.push(...(await browser.inspect(page, 'portal-offline', AT)));
    await page.context().setOffline(false);
    await page.getByRole('region', { name: 'Results' }).getByRole('listitem').first().waitFor();

    await kiln.portal.deleteToken(token);
    await page
      .getByRole('link', { name: 'All documents' })
      .or(page.getByRole('link', { name: 'Documents' }))
      .click();
    await page.getByRole('heading', { name: 'You no longer have access' }).waitFor();
    problems.push(...(await browser.inspect(page, 'portal-revoked', AT)));
    await page.goto(`${browser.baseUrl}/portal`);
    await page.reload();
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
    problems.push(...(await browser.inspect(page, 'portal-no-token', AT)));
    expect(problems).toStrictEqual([]);
    await page.context().close();
  });

  it('gives no access with a token whose key has expired', async () => {
    const scopes = ['portal:write', 'files:read', 'search:read'] as const;
    const tokenOfKey = async (expiresAt: number) => {
      const expires_at = new Date(expiresAt).toISOString();
      const { key } = await kiln.apiKeys.create({ name: 'short', scopes: [...scopes], expires_at });
      const short = new Kiln({ baseUrl: browser.baseUrl, apiKey: key });
      return (await short.portal.createToken({ space: SPACE, ttl: 3_600 })).token;
    };
    let keyMs = KEY_MS;
    // On a busy machine the key may expire before it has made the token.
    const token = await eventually(() => tokenOfKey(Date.now() + (keyMs *= 2)));
    await eventually(async () => !(await kiln.portal.verifyToken(token)).valid);
    const { page } = await browser.open(`/portal#token=${token}`);
    await page.getByRole('heading', { name: 'You no longer have access' }).waitFor();
    await page.context().close();
  });

  it('is at most 60 kB of scripts and styles (gzip)', () => {
    const assets = join(repositoryDirectory, 'packages/portal/site/assets');
    const sizes = readdirSync(assets)
      .filter((name) => name.endsWith('.gz'))
      .map((name) => statSync(join(assets, name)).size);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUNDLE_GZIP_BYTES_MAX);
  });
});
