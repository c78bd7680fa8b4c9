/**
 * `node infra/releases/dist/record-release.js` writes the contracts of this commit to `released/<version>.json`. With the folder of another
 * built checkout, it writes the contracts of that checkout.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeContracts } from './recorded-contracts.js';
import { releasePath, writeRelease } from './release-file.js';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../..'));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
const index = pathToFileURL(join(folder, 'packages/contracts/dist/index.js')).href;
const contracts = describeContracts((await import(index)) as Record<string, unknown>);
writeFileSync(releasePath(version), writeRelease({ commit, contracts }));
console.log(`${releasePath(version)}: ${contracts.operations.size} operations, ${contracts.events.size} events`);
