/** Downloads a model of the catalogue and adds it to the installed ones. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addModel } from './add-model.js';
import { catalogue } from './catalogue.js';
import { CONFIG, TOKENIZER, TOKENIZER_CONFIG } from './describe-model.js';
import type { HubClient, HubFile } from './hub-client.js';
import type { ModelManifest } from './model-manifest.js';
import { inUnfinishedFolder } from './unfinished-folder.js';

/** With 8-bit weights, a model is a quarter of the size and faster, and its vectors differ. */
const GRAPHS = { int8: 'onnx/model_quantized.onnx', float32: 'onnx/model.onnx' } as const;

export type Precision = keyof typeof GRAPHS;

export interface PullOptions {
  modelsFolder: string;
  name: string;
  precision: Precision;
  /** Called with the bytes that have arrived, and those that there are. */
  onProgress: (received: number, total: number) => void;
}

/** A model of the same name is replaced at the end. @throws an Error that says what to do. */
export async function pullModel(hub: HubClient, options: PullOptions): Promise<ModelManifest> {
  const { modelsFolder, name, precision, onProgress } = options;
  const entry = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
  if (entry === undefined)
    throw new Error(`There is no model ${name}. Choose one of: ${Object.keys(catalogue).join(', ')}.`);
  const { repository } = entry;
  const revision = await hub.revisionOf(repository);
  const files = wantedOf(await hub.filesOf(repository, revision), [
    GRAPHS[precision],
    CONFIG,
    TOKENIZER,
    TOKENIZER_CONFIG,
  ]);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return inUnfinishedFolder(modelsFolder, '.pulling-', async (unfinished) => {
    let received = 0;
    for (const file of files) {
      const target = join(unfinished, file.path);
      mkdirSync(dirname(target), { recursive: true });
      await hub.download(repository, revision, file, target, (count) => onProgress((received += count), total));
    }
    return addModel(modelsFolder, name, unfinished);
  });
}

function wantedOf(files: readonly HubFile[], paths: readonly string[]): HubFile[] {
  return paths.map((path) => {
    const file = files.find((other) => other.path === path);
    if (file === undefined) throw new Error(`The repository has no file ${path}.`);
    return file;
  });
}
