// `node infra/docker/assemble-image.mjs services/files <target>` assembles the files of a built service's image: its own compiled
// code, that of the workspace packages it depends on, and the exact versions of the lock file, which `sbom.cdx.json` lists (CycloneDX).
// Tests are excluded. The build fails if production code imports a missing file.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const WORKSPACE_FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
const WORKSPACE_GROUPS = ['packages', 'infra', 'services'];
const NOT_SHIPPED = /(^|\/)(fixtures|test|test-support)(\/|$)|\.spec\.|\.d\.ts$|\.tsbuildinfo$/;

const [folder, target] = process.argv.slice(2);
if (!folder || !target) fail('usage: node infra/docker/assemble-image.mjs <folder of the service> <target folder>');
if (!existsSync(join(repository, folder, 'dist/main.js'))) fail(`${folder}/dist/main.js is missing: run tsc -b first`);
const image = resolve(target);
if (existsSync(image)) fail(`${image} exists already`);

const folders = productionFolders(folder);
mkdirSync(image, { recursive: true });
for (const file of WORKSPACE_FILES) cpSync(join(repository, file), join(image, file));
for (const shipped of folders) ship(shipped);
install(manifest(folder).name);
removeNode();
writeBillOfMaterials(manifest(folder).name);
const missing = folders.flatMap((shipped) => missingImports(join(image, shipped, 'dist')));
if (missing.length > 0) fail(`production code imports what is not shipped:\n${missing.join('\n')}`);
process.stdout.write(`${folder}: ${folders.join(', ')}\n`);

function manifest(path) {
  return JSON.parse(readFileSync(join(repository, path, 'package.json'), 'utf8'));
}

/** The service and all workspace packages it depends on, without files for tests. */
function productionFolders(start) {
  const byName = new Map();
  for (const group of WORKSPACE_GROUPS) {
    for (const entry of readdirSync(join(repository, group))) {
      const path = `${group}/${entry}`;
      if (existsSync(join(repository, path, 'package.json'))) byName.set(manifest(path).name, path);
    }
  }
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const name of Object.keys(manifest(path).dependencies ?? {})) if (byName.has(name)) visit(byName.get(name));
  };
  visit(start);
  return [...found];
}

function ship(path) {
  // Browsers load `site`; the code that it is made from runs nowhere.
  const isForBrowsers = existsSync(join(repository, path, 'site'));
  for (const part of ['package.json', isForBrowsers ? 'site' : 'dist']) {
    const source = join(repository, path, part);
    if (!existsSync(source)) continue;
    cpSync(source, join(image, path, part), {
      recursive: true,
      filter: (file) => !NOT_SHIPPED.test(file.slice(source.length)),
    });
  }
}

/** Installs the versions of the lock file; `pnpm deploy` would resolve them again. */
function install(name) {
  const words = ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', '--filter-prod', `${name}...`];
  pnpm(...words, '--prefer-offline', '--config.confirmModulesPurge=false');
}

/** pnpm installs the dependencies of the workspace too: the Node of the checkout. The base image has its own. */
function removeNode() {
  const { optionalDependencies } = manifest('.');
  for (const name of Object.keys(optionalDependencies)) rmSync(join(image, 'node_modules', name), { force: true });
  const stored = readdirSync(join(image, 'node_modules/.pnpm'));
  for (const entry of stored.filter((entry) => optionalDependencies[entry.replace(/@[^@]*$/, '')] !== undefined)) {
    rmSync(join(image, 'node_modules/.pnpm', entry), { recursive: true });
  }
}

function writeBillOfMaterials(name) {
  const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'];
  pnpm('sbom', '--prod', '--filter-prod', `${name}...`, ...form, '--out', 'sbom.cdx.json');
}

function pnpm(...words) {
  // npx has fetched the pinned pnpm, so pnpm must not look for that version. It must never prompt.
  const command = ['-y', manifest('.').packageManager, ...words, '--config.pmOnFail=ignore'];
  const result = spawnSync('npx', command, { cwd: image, encoding: 'utf8' });
  if (result.status !== 0) fail(`${result.stdout ?? ''}${result.stderr ?? ''}pnpm ${words[0]} failed`);
}

function missingImports(dist) {
  if (!existsSync(dist)) return [];
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return files.flatMap((file) => {
    const code = readFileSync(join(dist, file), 'utf8');
    const wanted = code.matchAll(/(?:from|import|import\(|URL\()\s*['"](\.{1,2}\/[^'"]+\.js)['"]/g);
    return [...wanted]
      .map(([, path]) => path)
      .filter((path) => !existsSync(resolve(dist, dirname(file), path)))
      .map((path) => `  ${join(dist, file)}: ${path}`);
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
