import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../processes/replace-file.js';

/** The key that seals secrets: the configured one, or the stored one, or a new one. Without it the secrets are lost, so it is stored. */
export function encryptionKeyFor(dataDirectory: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const path = join(dataDirectory, 'encryption-key');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (kept !== '') return kept;
  const made = randomBytes(32).toString('base64');
  replaceFile(path, `${made}\n`);
  return made;
}
