/** @slow */
// The page of a file in the console: its text and pages, its parts, and what can be done with it.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Kiln } from '@kiln/sdk';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser } from './support/console-browser.js';
import { pdfOf } from './support/documents.js';
import { newOrganizationWithKey } from './support/operator.config.js';

const HOSTILE = `# Notes of the <script>window.ran = 1</script>attacker

[click](javascript:window.ran=2) [data](data:text/html,<script>window.ran=3</script>) [site](https://example.com/page)

![remote](https://attacker.example/pixel.png) <img src="https://attacker.example/raw.png" onerror="window.ran=4">

<svg onload="window.ran=5"><image href="https://attacker.example/svg.png"></image></svg>
<iframe src="https://attacker.example/frame"></iframe><style>@import 'https://attacker.example/style.css';</style>
<a href="&#106;avascript:window.ran=6" onclick="window.ran=7">raw</a>
<p style="background: url(https://attacker.example/background.png)">styled</p>

#### The last paragraph is shown
`;

describeInBrowser('a file in the console', () => {
  let browser: ConsoleBrowser;
  let kiln: Kiln;
  let apiKey: string;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    ({ apiKey } = await newOrganizationWithKey(browser.dataDir));
    kiln = new Kiln({ baseUrl: browser.baseUrl, apiKey });
    ({ page, faults } = await browser.openWithKey(apiKey));
    await page.getByRole('button', { name: 'Load samples' }).click();
    const activity = page.getByRole('list', { name: 'Files that changed last' });
    const contract = activity.getByRole('listitem').filter({ hasText: 'supply-contract.pdf' });
    await contract.getByText('completed').waitFor();
  });
  afterAll(() => browser.close());

  const openContract = async () => {
    await page.goto(`${browser.baseUrl}/console/files`);
    await page.getByRole('link', { name: 'supply-contract.pdf' }).click();
    await page.getByRole('heading', { name: 'supply-contract.pdf', level: 1 }).waitFor();
  };

  async function completed(filename: string, content: string): Promise<string> {
    const { id } = await kiln.files.create({ filename, content }, { wait: 30 });
    return id;
  }

  it('opens from the list, and shows the text beside the image of the page', async () => {
    await openContract();
    await page
      .getByRole('region', { name: 'Text' })
      .getByText(/notice/i)
      .first()
      .waitFor();
    await page.getByRole('img', { name: 'Page 1 of supply-contract.pdf' }).waitFor();
    expect([await browser.inspect(page, 'file'), faults]).toStrictEqual([[], []]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('supply-contract.pdf');
  });

  it('lights the selected chunk on its page, also from a link', async () => {
    await openContract();
    await page.getByRole('link', { name: 'Chunks' }).click();
    const last = page.getByRole('region', { name: 'Chunks' }).getByRole('button').last();
    await last.click();
    await isLit();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('chunks');
    expect([await browser.inspect(page, 'file-chunks'), faults]).toStrictEqual([[], []]);
    await page.reload();
    await isLit();
  });

  it('lights the chunks of a selection on the page, and a chosen region in the text', async () => {
    await openContract();
    const text = page.getByRole('region', { name: 'Text' });
    const region = page.getByRole('group', { name: 'Images of the pages' }).getByRole('button', { name: 'Chunk 1' });
    await region.first().waitFor();
    await text
      .getByText(/notice/i)
      .first()
      .click({ clickCount: 3 });
    await isLit();
    const problems = await browser.inspect(page, 'file-selection');
    await region.first().focus();
    await page.keyboard.press('Enter');
    await text.locator('[data-lit]').first().waitFor();
    expect(new URL(page.url()).searchParams.get('chunk')).toBe('0');
    problems.push(...(await browser.inspect(page, 'file-region')));
    await page.reload();
    await text.locator('[data-lit]').first().waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('shows the page of the text that is read, and the text of the page', async () => {
    const pages = Array.from({ length: 30 }, (_, index) => `This is sheet ${index + 1} of the long log of the kiln.`);
    const source = new File([Buffer.from(await pdfOf(...pages))], 'long-log.pdf');
    const chunking = { chunk_size: 100, chunk_overlap: 0 };
    const { id, job_id: jobId } = await kiln.files.upload(source, { chunking });
    await kiln.jobs.get(jobId ?? '', { wait: 30 });
    await page.goto(`${browser.baseUrl}/console/files/${id}`);
    await page.getByText('Page 1 of 30').waitFor();
    await page.getByRole('button', { name: 'Chunk 1', exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Text' }).hover();
    await page.mouse.wheel(0, 10_000);
    await page.getByText(/Page (?:[5-9]|[12]\d) of 30/).waitFor();
    await page.getByRole('group', { name: 'Images of the pages' }).focus();
    // The text may still scroll by the wheel.
    await eventually(async () => {
      for (const key of ['End', 'Home']) await page.keyboard.press(key);
      await page.getByText('Page 1 of 30').waitFor({ timeout: 1_000 });
      return await page.evaluate<boolean>(isRead('This is sheet 1 of'));
    });
    expect(faults).toStrictEqual([]);
  });

  /** Whether the paragraph is within what is visible of the text. */
  const isRead = (beginning: string) => `(() => {
    const paragraphs = [...document.querySelectorAll('.markdown > *')];
    const { top, bottom } = paragraphs.find(({ textContent }) => textContent.startsWith('${beginning}')).getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  })()`;

  /** Waits until a region is within what is visible of the pages. */
  const isLit = () =>
    eventually(
      async () =>
        await page.evaluate<boolean>(`(() => {
        const region = document.querySelector('.page-region')?.getBoundingClientRect();
        const box = document.querySelector('.file-pages-scroll').getBoundingClientRect();
        return region !== undefined && region.top >= box.top && region.top < box.bottom;
      })()`),
    );

  it('loads the images of pages near what is visible, and keeps the page in the address', async () => {
    const pages = Array.from({ length: 12 }, (_, index) => `This is leaf ${index + 1} of the kiln log.`);
    const source = new File([Buffer.from(await pdfOf(...pages))], 'kiln-log.pdf');
    const { id, job_id: jobId } = await kiln.files.upload(source);
    await kiln.jobs.get(jobId ?? '', { wait: 30 });
    await page.goto(`${browser.baseUrl}/console/files/${id}?page=9`);
    await page.getByText('Page 9 of 12').waitFor();
    await eventually(async () => await page.evaluate<boolean>(visiblePageIs(9)));
    expect(await page.getByRole('img', { name: 'Page 1 of kiln-log.pdf' }).count()).toBe(0);
    await page.getByRole('group', { name: 'Images of the pages' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('Page 1 of 12').waitFor();
    await page.getByRole('img', { name: 'Page 1 of kiln-log.pdf' }).waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBeNull();
    expect(await page.getByRole('img').count()).toBeLessThan(6);
    expect([await browser.inspect(page, 'file-pages'), faults]).toStrictEqual([[], []]);
  });

  const visiblePageIs = (number: number) => `(() => {
    const image = document.querySelector('[data-page="${number}"] img')?.getBoundingClientRect();
    const box = document.querySelector('.file-pages-scroll').getBoundingClientRect();
    return image !== undefined && image.top < box.top + box.height / 3 && image.bottom > box.top + box.height / 3;
  })()`;

  it('shows each step of the job, and the variants with downloads', async () => {
    await openContract();
    await page.getByRole('link', { name: 'Timeline' }).click();
    const attempt = page.getByRole('region', { name: 'Attempt 1' });
    await attempt.getByText('Read the document').waitFor();
    await attempt.getByText('Document extractor').first().waitFor();
    const problems = await browser.inspect(page, 'file-timeline');
    await page.getByRole('link', { name: 'Variants' }).click();
    const url = await page.getByRole('link', { name: 'Download markdown' }).getAttribute('href');
    expect((await fetch(url ?? '')).status).toBe(200);
    problems.push(...(await browser.inspect(page, 'file-variants')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('shows the end of a file whose event reaches the page before the files service', async () => {
    const id = await completed('late.txt', 'The latch is open.');
    const { page: other } = await browser.openWithKey(apiKey);
    let isProcessed = false;
    await other.route(`**/v1/files/${id}`, async (route) => {
      const response = await route.fetch();
      const file = (await response.json()) as object;
      await route.fulfill({ response, json: isProcessed ? file : { ...file, status: 'processing', variants: [] } });
    });
    await other.clock.install();
    const streamed = other.waitForResponse('**/v1/events/stream*');
    await other.goto(`${browser.baseUrl}/console/files/${id}`);
    await streamed;
    await other.getByText('The text appears here when it is read.').waitFor();
    isProcessed = true;
    await other.clock.fastForward(15_000);
    await other.getByText('The latch is open.').first().waitFor();
    await other.context().close();
  });

  it('says in words why a file has failed, and retries its job', async () => {
    const { id, job_id: jobId } = await kiln.files.upload(new File(['%PDF-1.7 damaged'], 'damaged.pdf'));
    await kiln.jobs.get(jobId ?? '', { wait: 30 });
    await page.goto(`${browser.baseUrl}/console/files/${id}`);
    await page.getByText('The timeline says why.').waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    const { error } = await kiln.jobs.get(jobId ?? '');
    await page
      .getByRole('region', { name: 'Attempt 1' })
      .getByText(error?.message ?? '')
      .waitFor();
    const problems = await browser.inspect(page, 'file-failed');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('region', { name: 'Attempt 2' }).waitFor();
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('saves metadata, and keeps what was typed when it is refused', async () => {
    await openContract();
    await page.getByRole('link', { name: 'Metadata' }).click();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByLabel('Key').last().fill('department');
    await page.getByLabel('Value').last().fill('x'.repeat(2_000));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Not saved/)
      .waitFor();
    const problems = await browser.inspect(page, 'file-metadata-refused');
    expect(await page.getByLabel('Value').last().inputValue()).toHaveLength(2_000);
    await page.getByLabel('Value').last().fill('purchasing');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The metadata is saved.').waitFor();
    await page.reload();
    await page.getByLabel('Key').last().waitFor();
    expect(await page.getByLabel('Value').last().inputValue()).toBe('purchasing');
    problems.push(...(await browser.inspect(page, 'file-metadata')));
    expect([problems, faults]).toStrictEqual([[], []]);
  });

  it('runs nothing of a hostile document, and requests nothing from elsewhere', async () => {
    const id = await completed('hostile.md', HOSTILE);
    const origins = new Set<string>();
    const note = (request: { url: () => string }) => origins.add(new URL(request.url()).origin);
    page.on('request', note);
    await page.goto(`${browser.baseUrl}/console/files/${id}`);
    const text = page.getByRole('region', { name: 'Text' });
    await text.getByText('The last paragraph is shown').waitFor();
    const links = await text.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toStrictEqual(['https://example.com/page']);
    await text.getByText('click').click();
    await text.getByText('onclick="window.ran=7"').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await text.locator('img, svg, iframe, style, script, [style], [onclick], [onerror]').count()).toBe(0);
    expect([...origins].filter((origin) => origin !== 'null')).toStrictEqual([new URL(browser.baseUrl).origin]);
    page.off('request', note);
    expect([await browser.inspect(page, 'file-hostile'), faults]).toStrictEqual([[], []]);
  });

  it('shows a table of 40,000 cells to the last one, within the box of the text', async () => {
    const columns = Array.from({ length: 40 }, (_, column) => `c${column}`);
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const rows = Array.from({ length: 1_000 }, (_, row) => line(columns.map((name) => `${name}r${row}`)));
    const table = [line(columns), line(columns.map(() => '---')), ...rows].join('\n');
    await page.goto(`${browser.baseUrl}/console/files/${await completed('huge-table.md', table)}`);
    const text = page.getByRole('region', { name: 'Text' });
    await text.getByRole('cell', { name: 'c39r999', exact: true }).scrollIntoViewIfNeeded();
    const isWithin = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    expect(await page.evaluate(isWithin)).toBe(true);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('region', { name: 'Attempt 1' }).waitFor();
    expect(faults).toStrictEqual([]);
  });

  it('reprocesses with the chosen variants while the page is open', async () => {
    const id = await completed('note.txt', 'A short note about glazes.');
    await page.goto(`${browser.baseUrl}/console/files/${id}?tab=variants`);
    await page.getByRole('list', { name: 'Variants' }).getByText('markdown', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reprocess' }).click();
    const choice = page.getByRole('list', { name: 'Variants to make' });
    for (const box of await choice.getByRole('checkbox').all()) await box.uncheck();
    await choice.getByRole('checkbox', { name: /^markdown/ }).check();
    expect(await browser.inspect(page, 'file-reprocess')).toStrictEqual([]);
    const before = (await kiln.files.get(id)).job_id;
    await page.getByRole('button', { name: 'Reprocess the file' }).click();
    await page.getByText('The file is queued.').waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    const { job_id: jobId } = await kiln.files.get(id);
    expect(jobId).not.toBe(before);
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByText(jobId ?? '')
      .waitFor();
    await page.getByRole('region', { name: 'Attempt 1' }).getByText('Finish').waitFor();
    await page.getByRole('banner').or(page.locator('.file-head')).getByText('completed').first().waitFor();
  });

  it('deletes after a question, and says that an unknown file does not exist', async () => {
    const id = await completed('wrong.txt', 'Uploaded by mistake.');
    await page.goto(`${browser.baseUrl}/console/files/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await browser.inspect(page, 'file-delete')).toStrictEqual([]);
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    for (const unknown of [id, 'nonsense']) {
      await page.goto(`${browser.baseUrl}/console/files/${unknown}`);
      await page.getByRole('heading', { name: 'There is no such file' }).waitFor();
    }
    expect([await browser.inspect(page, 'file-unknown'), faults]).toStrictEqual([[], []]);
  });
});
