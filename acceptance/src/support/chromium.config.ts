// The browser of the machine, and what is done with it: that of KILN_TEST_CHROMIUM, or the first Chromium or Chrome in the PATH. The shell has no window, and needs a sixth less time.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Null where the machine has none. */
export function findChromium(): string | null {
  const { KILN_TEST_CHROMIUM: named, PATH = '' } = process.env;
  if (named) return named;
  const folders = [...PATH.split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** Whether the environment asks for pictures of the pages (`KILN_TEST_PICTURES=yes`). */
export const takesPictures = (): boolean => process.env.KILN_TEST_PICTURES === 'yes';
