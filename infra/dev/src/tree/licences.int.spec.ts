// The licences of the packages that Kiln runs on. Reads the installed packages.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';

const permissive = new Set([
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '(MIT OR GPL-3.0-or-later)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Packages with another licence, or none that is in SPDX's list, and why they may be shipped. */
const accepted: Readonly<Record<string, string>> = {
  // LGPL-3.0-or-later: a library that sharp links dynamically. Users can replace its file.
  '@img/sharp-libvips-*': 'LGPL-3.0-or-later',
  // Its file LICENSE is BSD-2-Clause.
  duck: 'BSD',
};

it('packages that are shipped have a permissive licence, or are accepted by name', () => {
  const { packageManager } = JSON.parse(readFileSync(join(repositoryDirectory, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  const command = ['-y', packageManager, '-r', 'licenses', 'list', '--prod', '--json', '--config.pmOnFail=ignore'];
  const output = execFileSync('npx', command, { cwd: repositoryDirectory, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const byLicence = JSON.parse(output) as Record<string, { name: string }[]>;
  expect(byLicence['MIT']?.length).toBeGreaterThan(100);
  const others = Object.entries(byLicence).filter(([licence]) => !permissive.has(licence));
  // The library of the processor that the tests run on.
  const named = others.flatMap(([licence, packages]) =>
    packages.map(({ name }) => [name.replace(/(sharp-libvips)-.+/, '$1-*'), licence]),
  );
  expect(Object.fromEntries(named)).toStrictEqual(accepted);
});
