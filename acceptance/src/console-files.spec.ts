/** @slow */
// The list of files of the console in a browser: many rows, many uploads, many changes.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { newOrganizationWithKey } from './support/operator.config.js';

const BATCH_MAX = 50;
const MANY = 1_000;
const UPLOADS = 250;

describeInBrowser('the files of the console', () => {
  let browser: ConsoleBrowser;
  const folder = mkdtempSync(join(tmpdir(), 'kiln-folder-'));
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** An organization with files whose bytes never arrive. */
  async function openWith(count: number): Promise<{ page: Page; kiln: Kiln }> {
    const { apiKey } = await newOrganizationWithKey(browser.dataDir);
    const kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    for (let first = 0; first < count; first += BATCH_MAX) {
      const length = Math.min(BATCH_MAX, count - first);
      const files = Array.from({ length }, (_, index) => ({
        filename: `file-${String(first + index).padStart(5, '0')}.txt`,
        size_bytes: 10 + first + index,
        space: index % 2 === 0 ? 'even' : 'odd',
      }));
      await kiln.batches.create({ files });
    }
    const { page } = await browser.openWithKey(apiKey);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    return { page, kiln };
  }

  it('shows a thousand rows as few elements, to the last one by keyboard, and tells readers how many there are', async () => {
    const { page } = await openWith(MANY);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('row').filter({ hasText: 'file-00000.txt' }).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1));
    await page.getByRole('checkbox', { name: 'Select file-00000.txt' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('checkbox', { name: 'Select file-00001.txt' }).and(page.locator(':focus')).waitFor();
    const rows = page.getByRole('rowgroup').nth(1);
    const last = page.getByRole('row').filter({ hasText: `file-${String(MANY - 1).padStart(5, '0')}.txt` });
    while ((await last.count()) === 0) {
      await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    expect(await last.getAttribute('aria-rowindex')).toBe(String(MANY + 1));
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    // In another order, the list begins with its first row.
    await page.getByRole('button', { name: 'Size' }).click();
    await page
      .locator('[aria-rowindex="2"]')
      .filter({ hasText: `file-00${MANY - 1}.txt` })
      .waitFor();
  });

  it('keeps filters and order in the address, and says when nothing matches', async () => {
    const { page } = await openWith(60);
    await page.getByLabel('Space').selectOption('odd');
    await page.getByText('30 files').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('file-00003');
    await page.getByRole('row').filter({ hasText: 'file-00003.txt' }).waitFor();
    await page.getByText('1 file', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=file-00003&space=odd');
    await page.reload();
    await page.getByText('1 file', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No file matches').waitFor();
    expect(await browser.inspect(page, 'files-no-match')).toStrictEqual([]);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('60 files').waitFor();
  });

  it('deletes a selection, and all files that match, after a question', async () => {
    const { page, kiln } = await openWith(230);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('checkbox', { name: 'Select file-00002.txt' }).click();
    await page.getByRole('checkbox', { name: 'Select file-00006.txt' }).click({ modifiers: ['Shift'] });
    await page.getByText('5 files selected').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await browser.inspect(page, 'files-delete')).toStrictEqual([]);
    await page.getByRole('button', { name: 'Delete 5 files' }).click();
    await page.getByText('225 files').waitFor();
    await page.getByLabel('Filter by name').fill('file-000');
    await page.getByText('95 files').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded files' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete 95 files' }).click();
    await page.getByText('No file matches').waitFor();
    const left = await kiln.files.list({ limit: 200 }).all({ limit: 500 });
    expect(
      left
        .map(({ filename }) => filename)
        .sort()
        .at(0),
    ).toBe('file-00100.txt');
    expect(left).toHaveLength(130);
  });

  const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded files' }).click();
  /** An action changes the files whose status, as the page shows it, permits it. */
  const shows = (page: Page, filename: string, status: string) =>
    page.getByRole('row').filter({ hasText: filename }).getByText(status, { exact: true }).waitFor();

  it('reprocesses the selected files whose bytes have arrived', async () => {
    const { page, kiln } = await openWith(1);
    const contents = ['Bowls are fired at 1200 degrees.', 'Plates are fired at 1100 degrees.'];
    const stored = await Promise.all(
      contents.map((content, index) => kiln.files.create({ filename: `log-${index}.md`, content })),
    );
    await page.getByText('3 files', { exact: true }).waitFor();
    for (const { filename } of stored) await shows(page, filename, 'completed');
    await selectAll(page);
    expect(await browser.inspect(page, 'files-bulk')).toStrictEqual([]);
    await page.getByRole('button', { name: 'Reprocess' }).click();
    await page.getByText('2 files queued.').waitFor();
    for (const { id, job_id: before } of stored) {
      const { job_id: next } = await kiln.files.get(id);
      expect(next).not.toBe(before);
      expect((await kiln.jobs.waitFor(next ?? '')).status).toBe('completed');
    }
  });

  it('retries the jobs of the selected files that have failed', async () => {
    const { page, kiln } = await openWith(0);
    const create = (filename: string, content: string) => kiln.files.create({ filename, content });
    const [done, ...broken] = await Promise.all([
      create('log.md', 'Bowls are fired at 1200 degrees.'),
      create('broken-1.pdf', '%PDF-1.7 and no more'),
      create('broken-2.pdf', '%PDF-1.7 and no more'),
    ]);
    await page.getByText('3 files', { exact: true }).waitFor();
    await shows(page, done.filename, 'completed');
    for (const { filename } of broken) await shows(page, filename, 'failed');
    await selectAll(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('2 files retried.').waitFor();
    const attemptsOf = async ({ job_id: id }: { job_id: string | null }) => (await kiln.jobs.get(id ?? '')).attempts;
    for (const file of broken) {
      await eventually(async () => {
        if ((await attemptsOf(file)) !== 2) throw new Error('not retried yet');
      });
    }
    expect(await attemptsOf(done)).toBe(1);
  });

  it('cancels the jobs of the selected files only', async () => {
    const { page, kiln } = await openWith(3);
    await page.getByRole('button', { name: 'Name' }).click();
    for (const name of ['file-00000.txt', 'file-00002.txt']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    }
    const actions = page.getByRole('region', { name: 'Selected files' });
    await actions.getByText('2 files selected').waitFor();
    expect(await actions.getByRole('button', { name: 'Retry' }).isDisabled()).toBe(true);
    await actions.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('2 files cancelled.').waitFor();
    const files = await kiln.files.list({ sort_by: 'filename', sort_order: 'asc' }).all({ limit: 3 });
    const states = await Promise.all(files.map(async ({ job_id: id }) => (await kiln.jobs.get(id ?? '')).status));
    expect(states.map((state) => state === 'cancelled')).toStrictEqual([true, false, true]);
  });

  it('uploads a folder of 250 files, pauses and resumes', async () => {
    const { page, kiln } = await openWith(0);
    const root = join(folder, 'letters');
    for (let index = 0; index < UPLOADS; index += 1) {
      const inner = join(root, `year-${index % 5}`);
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(inner, `letter-${index}.txt`), `This is letter ${index}.`);
    }
    await page.getByLabel('Folder to upload').setInputFiles(root);
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray.getByRole('button', { name: 'Pause' }).click();
    await tray.getByText('Paused').waitFor();
    expect(await browser.inspect(page, 'files-upload-paused')).toStrictEqual([]);
    const paused = await kiln.files.list({ limit: 200 }).all({ limit: UPLOADS });
    expect(paused.length).toBeLessThan(UPLOADS);
    await tray.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(`${UPLOADS} files uploaded.`).waitFor({ timeout: 150_000 });
    const stored = await kiln.files.list({ limit: 200 }).all({ limit: UPLOADS + 1 });
    expect(new Set(stored.map(({ filename }) => filename)).size).toBe(UPLOADS);
    const [one] = stored;
    const { metadata } = await kiln.files.get(one?.id ?? '');
    expect(metadata['path']).toBe(`letters/year-${Number(/\d+/.exec(one?.filename ?? '')?.[0]) % 5}/${one?.filename}`);
  });

  it('uploads a large file in a browser that cannot send streams, and asks no other server', async () => {
    const { apiKey } = await newOrganizationWithKey(browser.dataDir);
    const { page, faults } = await browser.openWithKey(apiKey);
    await page.addInitScript(WITHOUT_STREAMS);
    await page.reload();
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    const buffer = Buffer.alloc(3 * 1024 * 1024, 'The kiln is hot. ');
    await page.getByLabel('Files to upload').setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer });
    await page.getByText('1 file uploaded.').waitFor();
    const { files } = await new Kiln({ baseUrl: browser.baseUrl, apiKey }).files.list();
    expect(files).toMatchObject([{ filename: 'large.txt', size_bytes: buffer.length }]);
    expect([[...origins], faults]).toStrictEqual([[browser.baseUrl], []]);
  });
});

/** As Firefox and Safari are. */
const WITHOUT_STREAMS = `
  const Sent = Request;
  window.Request = class extends Sent {
    constructor(url, init = {}) {
      super(url, init.body instanceof ReadableStream ? { method: init.method, body: String(init.body) } : init);
    }
  };`;
