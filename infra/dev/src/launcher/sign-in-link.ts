/** Prints a link that opens the console once. The command of the gateway creates it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../errors.js';
import type { Progress } from './progress.js';

const COMMAND = 'gateway/dist/cli/sign-in.command.js';
const TIMEOUT_MS = 30_000;

export type SignInLink = (servicesDirectory: string, databaseUrl: string, baseUrl: string) => Promise<string>;

/** The organization is the oldest one. Rejects if the command fails. */
export const signInLink: SignInLink = async (servicesDirectory, databaseUrl, baseUrl) => {
  const words = [join(servicesDirectory, COMMAND), 'create', '--url', baseUrl];
  const options = { env: { DATABASE_URL: databaseUrl }, timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, words, options);
  return stdout.trim();
};

interface ConsoleReport {
  readonly servicesDirectory: string;
  readonly progress: Progress;
  /** If undefined, nothing is printed. */
  readonly signInLink?: SignInLink;
}

/** The system is up without a link, so a failure is a warning. */
export async function reportConsole(
  { servicesDirectory, progress, signInLink: create }: ConsoleReport,
  databaseUrl: string,
  baseUrl: string,
): Promise<void> {
  try {
    const link = await create?.(servicesDirectory, databaseUrl, baseUrl);
    if (link !== undefined) progress.step(`console (the link works once, within 10 minutes): ${link}`);
  } catch (thrown) {
    progress.warn(`no sign-in link: ${messageOf(thrown)}. Sign in at ${baseUrl}/console with an API key.`);
  }
}
