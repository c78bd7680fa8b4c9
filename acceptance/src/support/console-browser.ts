// A browser that uses the console as people do: by roles and names.
import { describe } from '@jest/globals';
import { eventually, repositoryDirectory } from '@kiln/dev';
import { createRequire } from 'node:module';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Frame, type Locator, type Page } from 'playwright-core';
import { findChromium, takesPictures } from './chromium.config.js';
import { kiln } from './operator.config.js';
import { systemUnderTest } from './system.config.js';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Pictures of the pages, to be looked at. Only a run with `KILN_TEST_PICTURES=yes` writes them. */
const PICTURES = join(repositoryDirectory, '.kiln-tests/console');
const sizes = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
} as const;
type Size = keyof typeof sizes;
const WAIT_MS = 60_000;
const DESTINATION_MS = 20_000;

const chromiumPath = findChromium();

/**
 * Presses the keys of a shortcut until the page shows its destination. A busy machine may press the second key later than the console
 * permits.
 */
export function pressShortcut(page: Page, keys: string, destination: Locator): Promise<void> {
  return eventually(async () => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await destination.waitFor({ timeout: DESTINATION_MS });
  });
}

/** A suite that is skipped by name where the machine has no Chromium. */
export function describeInBrowser(title: string, suite: () => void): void {
  const run = chromiumPath === null ? describe.skip : describe;
  run(`${title}, where Chromium is installed (apt-get install chromium-headless-shell),`, suite);
}

export class ConsoleBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly axe: string,
    readonly baseUrl: string,
    readonly dataDir: string,
    private readonly stopSystem: () => Promise<void>,
  ) {}

  /** Beside the system under test. */
  static async start(): Promise<ConsoleBrowser> {
    const system = await systemUnderTest();
    return ConsoleBrowser.launch(system.client.baseUrl, system.dataDir, () => system.stop());
  }

  static async launch(baseUrl: string, dataDir: string, stopSystem = async () => {}): Promise<ConsoleBrowser> {
    if (chromiumPath === null) throw new Error('There is no Chromium.');
    const browser = await chromium.launch({ executablePath: chromiumPath, args: FLAGS });
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    if (takesPictures()) await mkdir(PICTURES, { recursive: true });
    return new ConsoleBrowser(browser, axe, baseUrl, dataDir, stopSystem);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stopSystem();
  }

  /** An empty page of a browser without any stored data. */
  async blank(): Promise<Page> {
    const context = await this.browser.newContext({ viewport: sizes.wide });
    context.setDefaultTimeout(WAIT_MS);
    return context.newPage();
  }

  /** Opens the address without any stored data. `faults` are the errors of the page, and breaches of its security policy. */
  async open(path: string): Promise<{ page: Page; faults: string[] }> {
    const page = await this.blank();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    await page.goto(new URL(path, this.baseUrl).href);
    return { page, faults };
  }

  /** A link that signs in to the organization once. */
  async signInLink(organizationId: string): Promise<string> {
    const words = ['sign-in', 'create', '--org', organizationId, '--url', this.baseUrl];
    return (await kiln(this.dataDir, ...words)).trim();
  }

  /** Signs in by a link, which an operator command creates. */
  async openSignedIn(organizationId: string): Promise<{ page: Page; faults: string[] }> {
    const opened = await this.open(await this.signInLink(organizationId));
    await opened.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return opened;
  }

  /** Signs in by the form, which takes no operator command. */
  async openWithKey(apiKey: string): Promise<{ page: Page; faults: string[] }> {
    const opened = await this.open('/console/');
    await opened.page.getByLabel('API key').fill(apiKey);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return opened;
  }

  /**
   * Returns the accessibility violations of the page, or of the given frame, in each theme and size. The default sizes are wide and phone.
   * Takes a picture of each if the environment asks for pictures.
   */
  async inspect(
    page: Page,
    name: string,
    { at = ['wide', 'phone'], frame = page.mainFrame() }: { at?: readonly Size[]; frame?: Frame } = {},
  ): Promise<string[]> {
    const problems: string[] = [];
    if (!(await frame.evaluate<boolean>(`'axe' in window`))) await frame.evaluate(this.axe);
    for (const theme of ['light', 'dark'] as const) {
      await frame.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      for (const size of at) {
        await page.setViewportSize(sizes[size]);
        await frame.evaluate(UNTIL_DRAWN);
        if (takesPictures()) await page.screenshot({ path: join(PICTURES, `${name}-${theme}-${size}.png`) });
        const found = await frame.evaluate<string[]>(`(async () => { ${runAxe(theme)} })()`);
        problems.push(...found.map((problem) => `${name}, ${theme}, ${size}: ${problem}`));
      }
    }
    await page.setViewportSize(sizes.wide);
    await frame.evaluate(`document.documentElement.dataset.theme = 'system'`);
    return problems;
  }
}

/** A frame of another site is drawn by a process of its own. */
const UNTIL_DRAWN = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** A theme changes nothing but colours, so all other rules are checked in the light theme only. */
const runAxe = (theme: 'light' | 'dark') => `
  const { violations } = await axe.run(${theme === 'light' ? '{}' : `{ runOnly: ['color-contrast'] }`});
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
`;

/** From now on, each question gets the beginning of an answer and `truncated`, as if a chat model had reached its limit. */
export async function cutAnswersOff(page: Page): Promise<void> {
  const ending = { sources: [], citations: [], omitted_statements: 0, model: 'small-chat', usage: null };
  const events = [
    { type: 'chunk', content: 'The contract ends' },
    { type: 'sources', ...ending, truncated: true },
    { type: 'done' },
  ];
  const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  await page.route(/\/qa$/, (route) => route.fulfill({ contentType: 'text/event-stream', body }));
}
