// `pnpm new:service <name> "<what it is for>"`: creates a service that builds, boots and passes its test, in the layout of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const template = join(here, 'template');

const [name, description = 'A service of Kiln'] = process.argv.slice(2);
if (!/^[a-z]{3,30}$/.test(name ?? ''))
  fail('usage: pnpm new:service <name> "<what it is for>"; the name is 3 to 30 letters a-z');
const target = join(root, 'services', name);
if (existsSync(target)) fail(`services/${name} exists already`);

const capitalised = name[0].toUpperCase() + name.slice(1);
const fill = (text) =>
  text.replaceAll('__name__', name).replaceAll('__Name__', capitalised).replaceAll('__description__', description);

for (const file of filesBelow(template)) {
  const place = fill(relative(template, file));
  const path = place.startsWith('contract.')
    ? join(root, 'packages/contracts/src', name, place.slice('contract.'.length))
    : join(target, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fill(readFileSync(file, 'utf8')));
}

edit('packages/contracts/src/index.ts', (text) => `${text}export * from './${name}/operations.js';\n`);
edit('tsconfig.json', (text) => {
  const config = JSON.parse(text);
  config.references.push({ path: `services/${name}` });
  return JSON.stringify(config, null, 2);
});
execFileSync('npx', ['-y', packageManager(), 'install'], { cwd: root, stdio: 'inherit' });
execFileSync(join(root, 'node_modules/.bin/prettier'), ['--write', target, 'tsconfig.json'], {
  cwd: root,
  stdio: 'ignore',
});
console.log(`services/${name} created. Add a line to infra/dev/src/launcher/topology.ts to run it with npm start.`);

function* filesBelow(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function edit(path, change) {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function packageManager() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
