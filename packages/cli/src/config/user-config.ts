// The profiles of the user, with their keys: one file that only its owner can read.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../exit-codes.js';
import { isRecord, optionalText } from './read-json.js';

export interface Profile {
  url: string;
  apiKey?: string;
  space?: string;
}

export interface UserConfig {
  /** The profile that is used unless another is named. */
  current?: string;
  profiles: Readonly<Record<string, Profile>>;
  /** Signs the requests of `kiln webhooks listen`. */
  webhookSecret?: string;
}

export const userConfigPath = (directory: string) => join(directory, 'config.json');

/** Without a file there are no profiles. Throws a usage error for a file that has another form, or that others can read. */
export async function readUserConfig(directory: string): Promise<UserConfig> {
  const path = userConfigPath(directory);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  // Windows has no such modes.
  if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0)
    throw usageError(`Others can read ${path}, which contains keys. Run: chmod 600 '${path}'`);
  return parsed(text, path);
}

function parsed(text: string, path: string): UserConfig {
  const wrong = usageError(`${path} is not valid. Correct it, or remove it and log in again.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!isRecord(value) || !isRecord(value['profiles'])) throw wrong;
  const profiles = Object.entries(value['profiles']).map(([name, profile]) => {
    if (!isRecord(profile) || typeof profile['url'] !== 'string') throw wrong;
    const { url } = profile;
    return [name, { url, ...optionalText(profile, 'apiKey', wrong), ...optionalText(profile, 'space', wrong) }];
  });
  return {
    ...optionalText(value, 'current', wrong),
    ...optionalText(value, 'webhookSecret', wrong),
    profiles: Object.fromEntries(profiles) as Record<string, Profile>,
  };
}

/** Replaces the file as a whole, so that an interruption leaves the former one. */
export async function writeUserConfig(directory: string, config: UserConfig): Promise<void> {
  const path = userConfigPath(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}
