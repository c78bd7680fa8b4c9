// What the environment says about the browser of the browser specs. `KILN_TEST_CHROMIUM` is the path of a Chromium. By default, the specs use
// the first Chromium or Chrome in the PATH. Chromium's headless shell comes first: the specs need a sixth less time with it.
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
