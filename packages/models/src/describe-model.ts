/** Finds out from the files of a folder what its model is. The files are those that models are published with. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelKind, ModelManifest } from './model-manifest.js';

/** The first that is there is used. 8-bit weights are smaller and faster, and change the vectors. */
export const GRAPHS = [
  'model.onnx',
  'onnx/model.onnx',
  'model_int8.onnx',
  'model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model_quantized.onnx',
] as const;

export const TOKENIZER = 'tokenizer.json';
export const TOKENIZER_CONFIG = 'tokenizer_config.json';
export const CONFIG = 'config.json';
const SENTENCE_CONFIG = 'sentence_bert_config.json';

/** Models that state no limit. */
const TOKENS_MAX_DEFAULT = 512;
/** Some models state a limit that means none. */
const TOKENS_MAX_HIGHEST = 8_192;

/** @throws an Error that names the file that is missing or wrong. */
export function describeModel(folder: string): Omit<ModelManifest, 'name' | 'files'> & { paths: string[] } {
  const graph = GRAPHS.find((path) => existsSync(join(folder, path)));
  if (graph === undefined) throw new Error(`${folder} has no ONNX model. Expected one of: ${GRAPHS.join(', ')}.`);
  const config = readJson(folder, CONFIG);
  const tokenizerConfig = readJson(folder, TOKENIZER_CONFIG);
  readJson(folder, TOKENIZER);
  const sentence = existsSync(join(folder, SENTENCE_CONFIG)) ? readJson(folder, SENTENCE_CONFIG) : {};
  const limits = [sentence['max_seq_length'], tokenizerConfig['model_max_length'], config['max_position_embeddings']];
  const stated = limits.filter((limit) => typeof limit === 'number').filter((limit) => limit <= TOKENS_MAX_HIGHEST);
  return {
    kind: kindOf(config),
    graph,
    tokensMax: Math.min(...(stated.length > 0 ? stated : [TOKENS_MAX_DEFAULT])),
    paths: [graph, CONFIG, TOKENIZER, TOKENIZER_CONFIG],
  };
}

function kindOf({ architectures }: Record<string, unknown>): ModelKind {
  const names = Array.isArray(architectures) ? architectures.map(String) : [];
  return names.some((name) => name.endsWith('ForSequenceClassification')) ? 'reranking' : 'embedding';
}

function readJson(folder: string, name: string): Record<string, unknown> {
  const path = join(folder, name);
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new Error(`${path} is not a JSON object.`);
}
