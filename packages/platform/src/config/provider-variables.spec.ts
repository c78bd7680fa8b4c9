import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './load-config.js';
import {
  chatVariables,
  checkProviderVariables,
  embeddingVariables,
  extractorVariables,
  managedEngines,
  ownKeyEngine,
} from './provider-variables.js';

const schema = z
  .object({ ...extractorVariables, ...embeddingVariables, ...chatVariables })
  .superRefine(checkProviderVariables);
const load = (given: Record<string, string> = {}) => loadConfig(schema, given);

test('by default documents are read locally, and no remote engine is called', () => {
  const config = load();
  expect(config.KILN_DOCUMENT_EXTRACTOR).toStrictEqual(['local']);
  expect([config.KILN_EMBEDDING_URL, config.KILN_CHAT_URL]).toStrictEqual([undefined, undefined]);
});

test('engines keep their order, each with its own key or all with one key', () => {
  const config = load({
    KILN_DOCUMENT_EXTRACTOR: 'https://a.example, local ,http://b.internal:5001/docling',
    KILN_DOCUMENT_EXTRACTOR_KEY: 'one,two',
    KILN_EMBEDDING_URL: 'https://a.example/v1,https://b.example/v1',
    KILN_EMBEDDING_KEY: 'both',
  });
  expect(managedEngines(config.KILN_DOCUMENT_EXTRACTOR, config.KILN_DOCUMENT_EXTRACTOR_KEY)).toStrictEqual([
    { url: 'https://a.example', key: 'one', protocol: null },
    null,
    { url: 'http://b.internal:5001/docling', key: 'two', protocol: null },
  ]);
  expect(managedEngines(config.KILN_EMBEDDING_URL ?? [], config.KILN_EMBEDDING_KEY)).toStrictEqual([
    { url: 'https://a.example/v1', key: 'both', protocol: null },
    { url: 'https://b.example/v1', key: 'both', protocol: null },
  ]);
  expect(managedEngines(['https://a', 'https://b'], ['', 'two'])).toStrictEqual([
    { url: 'https://a', key: null, protocol: null },
    { url: 'https://b', key: 'two', protocol: null },
  ]);
});

test('a prefix of the URL names another protocol, also of the engine for own keys', () => {
  const { KILN_IMAGE_EXTRACTOR: engines, KILN_IMAGE_EXTRACTOR_BYOK_URL: byokUrl } = load({
    KILN_IMAGE_EXTRACTOR: 'local,chat+https://a.example/v1,unstructured+http://b.internal:8000',
    KILN_IMAGE_EXTRACTOR_MODEL: 'seeing',
  });
  expect(managedEngines(engines)).toStrictEqual([
    null,
    { url: 'https://a.example/v1', key: null, protocol: 'chat' },
    { url: 'http://b.internal:8000', key: null, protocol: 'unstructured' },
  ]);
  expect(ownKeyEngine(engines, byokUrl)).toStrictEqual({ url: 'https://a.example/v1', protocol: 'chat' });
  expect(ownKeyEngine(engines, 'https://c.example')).toStrictEqual({ url: 'https://c.example', protocol: null });
  expect(ownKeyEngine(['local'], undefined)).toBeNull();
});

test('an invalid value is rejected with the name of its variable, and without any key', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ KILN_DOCUMENT_EXTRACTOR: 'remote' }, /KILN_DOCUMENT_EXTRACTOR .*"local"/],
    [{ KILN_DOCUMENT_EXTRACTOR: 'https://user:s3cret@a.example' }, /KILN_DOCUMENT_EXTRACTOR /],
    [{ KILN_DOCUMENT_EXTRACTOR: 'chat+https://a.example/v1' }, /KILN_DOCUMENT_EXTRACTOR .*unstructured\+/],
    [{ KILN_AUDIO_EXTRACTOR_BYOK_URL: 'chat+https://a.example/v1' }, /KILN_AUDIO_EXTRACTOR_BYOK_URL /],
    [{ KILN_IMAGE_EXTRACTOR: 'chat+https://a.example/v1' }, /KILN_IMAGE_EXTRACTOR_MODEL .*chat/],
    [{ KILN_IMAGE_EXTRACTOR: 'local,local' }, /KILN_IMAGE_EXTRACTOR .*once/],
    [{ KILN_AUDIO_EXTRACTOR: 'https://a', KILN_AUDIO_EXTRACTOR_KEY: 's3cret,x' }, /KILN_AUDIO_EXTRACTOR_KEY .*one key/],
    [{ KILN_EMBEDDING_URL: 'local' }, /KILN_EMBEDDING_URL /],
    [{ KILN_EMBEDDING_URL: 'https://a', KILN_EMBEDDING_KEY: 's3cret,x' }, /KILN_EMBEDDING_KEY /],
    [{ KILN_EMBEDDING_BATCH_INPUTS: '0' }, /KILN_EMBEDDING_BATCH_INPUTS /],
    [{ KILN_CHAT_REQUESTS_PER_MINUTE: 'many' }, /KILN_CHAT_REQUESTS_PER_MINUTE /],
  ];
  for (const [given, expected] of cases) {
    expect(() => load(given)).toThrow(expected);
    expect(() => load(given)).not.toThrow('s3cret');
  }
});

test('an answer of a chat model ends before its caller has to give up', () => {
  expect(load({ KILN_CHAT_DEADLINE_MS: '80000' }).KILN_CHAT_DEADLINE_MS).toBe(80_000);
  expect(() => load({ KILN_CHAT_DEADLINE_MS: '80001' })).toThrow(/KILN_CHAT_DEADLINE_MS/);
});
