/** Writes a service from the template, and adds it to every place that lists services. Everything or nothing is written. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from './lock-file.js';
import { fillIn, type Names } from './names.js';
import { NewServiceError } from './new-service-error.js';
import { placesOf, type Place } from './places.js';

/** Its folders have the layout of the repository. This file is compiled to infra/new-service/dist/. */
const templateDirectory = join(import.meta.dirname, '../template');
const CONTRACTS = 'packages/contracts/src';

export interface Generated {
  /** Paths in the repository. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
}

type Texts = ReadonlyMap<string, string>;

export function generateService(repository: string, names: Names): Generated {
  const created = filledTemplate(names);
  assertFree(repository, names, created);
  const manifest = JSON.parse(created.get(`services/${names.service}/package.json`) ?? '') as Manifest;
  const changed = new Map(placesOf(names, manifest).map((place) => [place.path, changedText(repository, place)]));
  for (const [path, text] of [...created, ...changed]) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  return { created: [...created.keys()], changed: [...changed.keys()] };
}

function filledTemplate(names: Names): Texts {
  const paths = sourcesIn(templateDirectory, /(?:)/);
  return new Map(
    paths.map((path) => [fillIn(path, names), fillIn(readFileSync(join(templateDirectory, path), 'utf8'), names)]),
  );
}

function changedText(repository: string, { path, edits }: Place): string {
  try {
    return edits.reduce((text, edit) => edit(text), readFileSync(join(repository, path), 'utf8'));
  } catch (thrown) {
    if (!(thrown instanceof NewServiceError)) throw thrown;
    const hint = 'Nothing was written. Correct infra/new-service/src/places.ts.';
    throw new NewServiceError(thrown.code, `${path}: ${thrown.message}. ${hint}`);
  }
}

function assertFree(repository: string, names: Names, created: Texts): void {
  const { service, noun } = names;
  const folders = [`services/${service}`, `${CONTRACTS}/${service}`];
  const [existing] = [...folders, ...created.keys()].filter((path) => existsSync(join(repository, path)));
  if (existing !== undefined) throw taken(`${existing} exists already. Choose another name.`);
  const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
  if (compose.includes(`\n  ${service}:\n`)) {
    throw taken(`docker-compose.yml has a service ${service} already. Choose another name.`);
  }
  const ids = readFileSync(join(repository, CONTRACTS, 'core/ids.ts'), 'utf8');
  if (new RegExp(`^ {2}(${noun}: '|\\w+: '${noun}')`, 'm').test(ids)) {
    throw taken(`${CONTRACTS}/core/ids.ts has ids of the kind ${noun} already. Choose another noun.`);
  }
  assertExportsFree(repository, created);
}

/** All contracts are exported together, so that each name is there once. */
function assertExportsFree(repository: string, created: Texts): void {
  const folder = join(repository, CONTRACTS);
  const present = new Set(
    sourcesIn(folder, /(?<!\.spec)\.ts$/).flatMap((path) => exportsOf(readFileSync(join(folder, path), 'utf8'))),
  );
  const added = [...created].filter(([path]) => path.startsWith(CONTRACTS)).flatMap(([, text]) => exportsOf(text));
  const [twice] = added.filter((name) => present.has(name));
  if (twice !== undefined) throw taken(`The contracts export ${twice} already. Choose another noun.`);
}

const exportsOf = (text: string) =>
  [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);

function sourcesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

const taken = (problem: string) => new NewServiceError('name_taken', problem);
