/**
 * `npm run images -- [name …] [--engine docker|podman|buildah] [--repository R] [--platform P,…] [--push] [--list]` builds the images of Kiln
 * with the first engine that this machine has. Prints the size of each. With `--list`, it only prints the names of the images.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { repositoryDirectory } from '@kiln/dev';
import { buildCommands, engines, sizeCommand, tagOf, type BuildOptions, type Engine } from './build-commands.js';
import { images, type Image } from './image-list.js';

const { values, positionals } = readArguments();

const chosen = chosenImages(positionals);
if (values.list) {
  for (const image of chosen) console.log(tagOf(image, values));
  process.exit();
}
const engine = chosenEngine(values.engine);
const options: BuildOptions = {
  repository: values.repository,
  revision: output('git', 'rev-parse', 'HEAD') ?? 'unknown',
  platforms: values.platform,
  push: values.push,
};
for (const image of chosen) {
  for (const [command = '', ...words] of buildCommands(engine, image, options)) run(command, words);
  const tag = tagOf(image, options);
  const [command = '', ...words] = sizeCommand(engine, tag);
  console.log(`${tag}  ${output(command, ...words) ?? ''}`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        engine: { type: 'string' },
        repository: { type: 'string', default: 'kiln' },
        platform: { type: 'string' },
        push: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function chosenEngine(name: string | undefined): Engine {
  const candidates = engines.filter((engine) => name === undefined || engine === name);
  const found = candidates.find((engine) => output(engine, engine === 'docker' ? 'info' : '--version') !== undefined);
  return found ?? fail(`None of these runs here: ${(candidates.length > 0 ? candidates : engines).join(', ')}`);
}

function chosenImages(names: readonly string[]): readonly Image[] {
  const known = images.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) fail(`No such image: ${unknown.join(', ')}. Images: ${known.join(', ')}`);
  return names.length === 0 ? images : images.filter(({ name }) => names.includes(name));
}

/** The trimmed output of a command. Undefined if it fails. */
function output(command: string, ...words: string[]): string | undefined {
  const { status, stdout } = spawnSync(command, words, { cwd: repositoryDirectory, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command: string, words: readonly string[]): void {
  const { status, error } = spawnSync(command, words, { cwd: repositoryDirectory, stdio: 'inherit' });
  if (status !== 0) fail(`Failed: ${command} ${words.join(' ')}${error ? ` (${error.message})` : ''}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
