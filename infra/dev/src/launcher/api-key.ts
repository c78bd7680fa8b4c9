import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../processes/replace-file.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base62 characters contain 256 bits. */
const KEY_CHARACTERS = 43;

/** The first live key: the configured one, or the stored one, or a new one (`isNew`, to be shown once). */
export function apiKeyFor(dataDirectory: string, given: string | undefined): { apiKey: string; isNew: boolean } {
  if (given !== undefined) return { apiKey: given, isNew: false };
  const path = join(dataDirectory, 'api-key');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (kept !== '') return { apiKey: kept, isNew: false };
  const characters = Array.from({ length: KEY_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]);
  const apiKey = `kiln_live_${characters.join('')}`;
  replaceFile(path, `${apiKey}\n`);
  return { apiKey, isNew: true };
}
