/** `kiln models pull|add|list|remove`: the models of this machine, in the data directory. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addModel } from './add-model.js';
import { catalogue, DEFAULT_MODEL } from './catalogue.js';
import { HubClient } from './hub-client.js';
import { installedModels } from './installed-models.js';
import { MODEL_NAME } from './model-manifest.js';
import { commandPlaces } from './models-command.config.js';
import { pullModel } from './pull-model.js';

const known = Object.entries(catalogue).map(([name, { kind, about }]) => `  ${name}: ${kind}, ${about}`);

const USAGE = `usage: kiln models pull [name] [--int8]
       kiln models add <name> <folder>
       kiln models list
       kiln models remove <name>

pull downloads a model (default ${DEFAULT_MODEL}). add copies one from a folder with an ONNX graph, tokenizer.json,
tokenizer_config.json and config.json. --int8 gets weights of 8 bits: smaller and faster, and less exact. Restart Kiln afterwards: npm start uses the installed models.

models to pull:
${known.join('\n')}`;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const printError = (line: string) => void process.stderr.write(`${line}\n`);

const RESTART = 'Restart Kiln to use it.';
const MEBIBYTE = 1_048_576;

async function run(): Promise<void> {
  const options = { int8: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [action = '', name, folder, ...more] = positionals;
  if (values.help) return print(USAGE);
  if (more.length > 0) throw new Error(USAGE);
  if (action === 'list' && name === undefined) return list();
  if (action === 'pull' && folder === undefined) return pull(name ?? DEFAULT_MODEL, values.int8);
  if (action === 'add' && name !== undefined && folder !== undefined) return add(name, folder);
  if (action === 'remove' && name !== undefined && folder === undefined) return remove(name);
  throw new Error(USAGE);
}

function list(): void {
  const models = installedModels(commandPlaces().modelsFolder);
  for (const { name, kind, graph, folder } of models) print(`${name}  ${kind}  ${graph}  ${folder}`);
  if (models.length === 0) printError('No model is installed. Get one with: npm run kiln -- models pull');
}

async function pull(name: string, int8: boolean): Promise<void> {
  const { modelsFolder, hubUrl } = commandPlaces();
  const hub = new HubClient(hubUrl);
  const { isTTY } = process.stderr;
  let shown = -1;
  const onProgress = (received: number, total: number) => {
    const percent = Math.floor((100 * received) / total);
    if (percent === shown || (!isTTY && percent % 10 !== 0)) return;
    shown = percent;
    const line = `${name}  ${bar(percent)} ${percent} % of ${Math.ceil(total / MEBIBYTE)} MiB`;
    process.stderr.write(isTTY ? `\r${line}` : `${line}\n`);
  };
  try {
    const manifest = await pullModel(hub, { modelsFolder, name, precision: int8 ? 'int8' : 'float32', onProgress });
    if (isTTY) process.stderr.write('\n');
    print(`Installed ${manifest.name} (${manifest.kind}) in ${join(modelsFolder, name)}. ${RESTART}`);
  } finally {
    await hub.close();
  }
}

async function add(name: string, folder: string): Promise<void> {
  assertName(name);
  if (!existsSync(folder)) throw new Error(`${folder} does not exist.`);
  const { modelsFolder } = commandPlaces();
  const manifest = await addModel(modelsFolder, name, folder);
  print(`Installed ${name} (${manifest.kind}, ${manifest.graph}) in ${join(modelsFolder, name)}. ${RESTART}`);
}

function remove(name: string): void {
  assertName(name);
  const folder = join(commandPlaces().modelsFolder, name);
  if (!existsSync(folder)) throw new Error(`The model ${name} is not installed.`);
  rmSync(folder, { recursive: true });
  print(`Removed ${name}. Restart Kiln.`);
}

function assertName(name: string): void {
  if (!MODEL_NAME.test(name))
    throw new Error('A name has 1 to 100 characters of A-Z a-z 0-9 . _ - and begins with a letter or digit.');
}

const bar = (percent: number) => `[${'#'.repeat(Math.floor(percent / 5)).padEnd(20, '.')}]`;

// An exit handler removes unfinished folders. A signal alone does not run it.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

run().catch((error: unknown) => {
  printError(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
