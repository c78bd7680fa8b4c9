// Secrets that were committed by mistake: forms of credentials that no test needs.
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';

/** Prefixes that their issuers chose so that scanners find them. */
const forms: readonly [string, RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{100}/],
  ['an access key of AWS', /\b(?:AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[A-Z2-7]{16}\b/],
  ['a token of GitHub', /\b(?:gh[opsur]_[A-Za-z0-9]{36}|github_pat_\w{82})\b/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-\w+-)?[A-Za-z0-9_-]{40,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a token of Slack', /\bxox[abprs]-\d{10,}-[A-Za-z0-9-]{20,}/],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{24,}/],
];
const FILE_BYTES_MAX = 2 * 1024 * 1024;

const formsIn = (text: string): string[] => forms.filter(([, form]) => form.test(text)).map(([name]) => name);

/** Tracked files, and those that would be. */
function filesOfTree(): string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', words, { cwd: repositoryDirectory, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listed.split('\0').filter(Boolean);
}

// Without the history, nothing says which files belong to the repository.
const isClone = existsSync(join(repositoryDirectory, '.git'));

(isClone ? it : it.skip)('no file of the repository has the form of a credential', () => {
  const files = filesOfTree().filter((path) => {
    const found = statSync(join(repositoryDirectory, path), { throwIfNoEntry: false });
    return found?.isFile() && found.size <= FILE_BYTES_MAX;
  });
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((path) => {
    const text = readFileSync(join(repositoryDirectory, path), 'latin1');
    return formsIn(text).map((form) => `${path}: ${form}`);
  });
  expect(found).toStrictEqual([]);
});

describe('the search recognizes', () => {
  const letters = 'a1B2c3D4'.repeat(12);
  it.each([
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters}${letters}`],
    ['an access key of AWS', `AKIA${'ABCD2345'.repeat(2)}`],
    ['a token of GitHub', `ghp_${letters.slice(0, 36)}`],
    ['a token of npm', `npm_${letters.slice(0, 36)}`],
    ['a key of OpenAI or Anthropic', `sk-proj-${letters.slice(0, 48)}`],
    ['a key of Google', `AIza${letters.slice(0, 35)}`],
    ['a token of Slack', `xoxb-1234567890-${letters.slice(0, 24)}`],
    ['a key of Stripe', `sk_live_${letters.slice(0, 24)}`],
  ])('%s', (form, text) => {
    expect(formsIn(`key = "${text}"`)).toStrictEqual([form]);
  });
});
