import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { loadConfig } from './load-config.js';
import {
  chatVariables,
  checkProviderVariables,
  embeddingVariables,
  extractorVariables,
  managedEngines,
} from './provider-variables.js';

const schema = z
  .object({ ...extractorVariables, ...embeddingVariables, ...chatVariables })
  .superRefine(checkProviderVariables);
const load = (given: Record<string, string> = {}) => loadConfig(schema, given);

test('without a word from the operator documents are read locally, and nothing remote is asked', () => {
  const config = load();
  assert.deepEqual(config.KILN_DOCUMENT_EXTRACTOR, ['local']);
  assert.deepEqual([config.KILN_EMBEDDING_URL, config.KILN_CHAT_URL], [undefined, undefined]);
});

test('engines come in the order given, each with its key, or all with the one', () => {
  const config = load({
    KILN_DOCUMENT_EXTRACTOR: 'https://a.example, local ,http://b.internal:5001/docling',
    KILN_DOCUMENT_EXTRACTOR_KEY: 'one,two',
    KILN_EMBEDDING_URL: 'https://a.example/v1,https://b.example/v1',
    KILN_EMBEDDING_KEY: 'both',
  });
  assert.deepEqual(managedEngines(config.KILN_DOCUMENT_EXTRACTOR, config.KILN_DOCUMENT_EXTRACTOR_KEY), [
    { url: 'https://a.example', key: 'one' },
    null,
    { url: 'http://b.internal:5001/docling', key: 'two' },
  ]);
  assert.deepEqual(managedEngines(config.KILN_EMBEDDING_URL ?? [], config.KILN_EMBEDDING_KEY), [
    { url: 'https://a.example/v1', key: 'both' },
    { url: 'https://b.example/v1', key: 'both' },
  ]);
  assert.deepEqual(managedEngines(['https://a', 'https://b'], ['', 'two']), [
    { url: 'https://a', key: null },
    { url: 'https://b', key: 'two' },
  ]);
});

test('what makes no sense is refused with the name of its variable and never with a key', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ KILN_DOCUMENT_EXTRACTOR: 'remote' }, /KILN_DOCUMENT_EXTRACTOR: .*"local"/],
    [{ KILN_DOCUMENT_EXTRACTOR: 'https://user:s3cret@a.example' }, /KILN_DOCUMENT_EXTRACTOR: /],
    [{ KILN_IMAGE_EXTRACTOR: 'local,local' }, /KILN_IMAGE_EXTRACTOR: .*once/],
    [
      { KILN_AUDIO_EXTRACTOR: 'https://a', KILN_AUDIO_EXTRACTOR_KEY: 's3cret,x' },
      /KILN_AUDIO_EXTRACTOR_KEY: .*one key/,
    ],
    [{ KILN_EMBEDDING_URL: 'local' }, /KILN_EMBEDDING_URL: /],
    [{ KILN_EMBEDDING_URL: 'https://a', KILN_EMBEDDING_KEY: 's3cret,x' }, /KILN_EMBEDDING_KEY: /],
    [{ KILN_EMBEDDING_BATCH_INPUTS: '0' }, /KILN_EMBEDDING_BATCH_INPUTS: /],
    [{ KILN_CHAT_REQUESTS_PER_MINUTE: 'many' }, /KILN_CHAT_REQUESTS_PER_MINUTE: /],
  ];
  for (const [given, expected] of cases) {
    assert.throws(
      () => load(given),
      (error) => error instanceof Error && expected.test(error.message) && !error.message.includes('s3cret'),
      JSON.stringify(given),
    );
  }
});
