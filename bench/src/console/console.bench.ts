// The console in Chromium, on a whole Kiln: what a user waits for, and what the page holds in memory. Goals: first view at most 250 kB (gzip)
// and its largest element within 1.0 s; an answer with a citation from the reader's own PDF within 3 minutes of `npm start`; interactions
// at 10,000 rows within 100 ms; a flat heap over 10 minutes of live events. `npm run bench:console [MINUTES]`, with KILN_TEST_CHROMIUM
// for a browser that is not /usr/bin/chromium.
import { startSystem } from '@kiln/dev/start-system';
import { Kiln } from '@kiln/sdk';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { findChromium } from './chromium.config.js';
import { INTERACTIONS, LARGEST_ELEMENT, OBSERVE_INTERACTIONS, TRANSFERRED } from './page-measures.js';

const MINUTES = Number(process.argv[2] ?? 10);
const ROWS = 10_000;
const BATCH_FILES = 50;
const EVENTS_PER_SECOND = 5;
const WAIT_MS = 120_000;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function ownDocument(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage();
  page.drawText('The lease of the workshop ends after forty days of notice.', { x: 50, y: 700, size: 14, font });
  return Buffer.from(await document.save());
}

async function signIn(page: Page, baseUrl: string, apiKey: string): Promise<void> {
  await page.goto(`${baseUrl}/console/`);
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

async function firstView(page: Page): Promise<void> {
  await page.reload();
  await page.getByText('No files yet').waitFor();
  const largestMs = await page.evaluate<number>(LARGEST_ELEMENT);
  const transferred = await page.evaluate<number>(TRANSFERRED);
  console.log(
    `first view: largest element after ${seconds(largestMs)}, ${(transferred / 1_000).toFixed(0)} kB transferred`,
  );
}

async function citedAnswer(page: Page, startedAt: number): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: await ownDocument() });
  const activity = page.getByRole('list', { name: 'Files that changed last' });
  await activity.getByRole('listitem').filter({ hasText: 'lease.pdf' }).getByText('completed').waitFor();
  await page.goto(new URL('/console/search?view=ask', page.url()).href);
  await page.getByLabel('Question').fill('After how many days of notice does the lease end?');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /^Source 1: lease\.pdf/ })
    .first()
    .click();
  await page.locator('.page-region').first().waitFor();
  console.log(`from the start to a cited answer with its sentence lit: ${seconds(performance.now() - startedAt)}`);
}

async function interactions(page: Page, kiln: Kiln): Promise<void> {
  for (let first = 0; first < ROWS; first += BATCH_FILES) {
    const names = Array.from({ length: BATCH_FILES }, (_, at) => `row-${String(first + at).padStart(5, '0')}.txt`);
    await kiln.batches.create({ files: names.map((filename) => ({ filename, skip_processing: true })) });
  }
  await page.getByRole('link', { name: 'Files' }).click();
  await page
    .getByRole('checkbox', { name: /^Select row-/ })
    .first()
    .waitFor();
  const rows = page.getByRole('rowgroup').nth(1);
  const isLoaded = () => page.getByRole('row').filter({ hasText: 'row-00000.txt' }).count();
  while ((await isLoaded()) === 0) {
    await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await page.evaluate(OBSERVE_INTERACTIONS);
  for (let step = 0; step < 20; step += 1) {
    await page
      .getByRole('checkbox', { name: /^Select row-/ })
      .nth(step % 5)
      .click();
    await page.keyboard.press('ArrowDown');
    await rows.evaluate((element, at) => element.scrollTo(0, (element.scrollHeight * at) / 20), step);
  }
  await delay(500);
  console.log(`interactions at ${ROWS} rows: longest ${(await page.evaluate<number>(INTERACTIONS)).toFixed(0)} ms`);
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function liveEvents(page: Page, kiln: Kiln): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  const session = await page.context().newCDPSession(page);
  const until = performance.now() + MINUTES * 60_000;
  let sent = 0;
  for (let nextReport = 0; performance.now() < until;) {
    await kiln.files.create({ filename: `live-${(sent += 1)}.txt`, content: `Event ${sent}.` });
    await delay(1_000 / EVENTS_PER_SECOND);
    if (performance.now() < nextReport) continue;
    nextReport = performance.now() + 60_000;
    console.log(`heap after ${sent} files: ${((await heapBytes(session)) / 1e6).toFixed(1)} MB`);
  }
  console.log(`heap after ${sent} files: ${((await heapBytes(session)) / 1e6).toFixed(1)} MB`);
}

async function main(): Promise<void> {
  const executablePath = findChromium();
  const startedAt = performance.now();
  const unlimited = { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' };
  const { baseUrl, apiKey, stop } = await startSystem({ environment: unlimited });
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const kiln = new Kiln({ baseUrl, apiKey });
    await signIn(page, baseUrl, apiKey);
    await firstView(page);
    await citedAnswer(page, startedAt);
    await interactions(page, kiln);
    await liveEvents(page, kiln);
  } finally {
    await browser.close();
    await stop();
  }
}

await main();
