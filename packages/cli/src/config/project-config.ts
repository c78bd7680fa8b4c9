// `kiln.json` of a project. It names a profile and a space, and never an address: a foreign project could send the user's key there.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { usageError } from '../exit-codes.js';
import { isRecord, optionalText } from './read-json.js';

export interface ProjectConfig {
  path: string;
  profile?: string;
  space?: string;
}

const NAME = 'kiln.json';

/** The nearest file, from the folder upwards. Throws a usage error if it is not valid. */
export async function readProjectConfig(folder: string): Promise<ProjectConfig | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, NAME);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) return parsed(text, path);
    if (dirname(at) === at) return null;
  }
}

function parsed(text: string, path: string): ProjectConfig {
  const wrong = usageError(`${path} is not valid. It can have "profile" and "space", both texts, and nothing else.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!isRecord(value) || Object.keys(value).some((name) => !['profile', 'space'].includes(name))) throw wrong;
  return { path, ...optionalText(value, 'profile', wrong), ...optionalText(value, 'space', wrong) };
}
