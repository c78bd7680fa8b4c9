import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needsNoEngine, providerFor, routeProvider, ruledProvider, type RoutingRule } from './routing.js';

it('routes every kind of content type to its default provider', () => {
  const expected = {
    'application/pdf': 'document_extractor',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document_extractor',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document_extractor',
    'application/vnd.oasis.opendocument.text': 'document_extractor',
    'application/msword': 'document_extractor',
    'text/plain; charset=utf-8': 'document_extractor',
    'application/json': 'document_extractor',
    'message/rfc822': 'document_extractor',
    'image/png': 'image_extractor',
    'IMAGE/JPEG': 'image_extractor',
    'audio/mpeg': 'audio_extractor',
    'video/mp4': null,
    'application/zip': null,
    'application/octet-stream': null,
    '': null,
  };
  for (const [contentType, provider] of Object.entries(expected))
    assert.equal(providerFor(contentType), provider, contentType);
});

it('lets an exact rule win over wildcards and a longer wildcard over a shorter one, in whatever order they stand', () => {
  const rules: RoutingRule[] = [
    { content_type: '*/*', provider: 'document_extractor' },
    { content_type: 'image/*', provider: 'audio_extractor' },
    { content_type: 'image/svg*', provider: 'document_extractor' },
    { content_type: 'IMAGE/png', provider: 'image_extractor' },
  ];
  for (const given of [rules, rules.toReversed()]) {
    assert.equal(ruledProvider('image/PNG; x=1', given), 'image_extractor');
    assert.equal(ruledProvider('image/jpeg', given), 'audio_extractor');
    assert.equal(ruledProvider('image/svg+xml', given), 'document_extractor');
    assert.equal(ruledProvider('video/mp4', given), 'document_extractor');
  }
  assert.equal(ruledProvider('video/mp4', rules.slice(1)), null);
  assert.equal(ruledProvider('imagex/png', rules.slice(1)), null);
});

it('routes by the request, else by the organization, else by the table', () => {
  const choice = { requested: 'audio_extractor', ruled: 'image_extractor' } as const;
  assert.equal(routeProvider('application/pdf', choice), 'audio_extractor');
  assert.equal(routeProvider('application/pdf', { ...choice, requested: undefined }), 'image_extractor');
  assert.equal(routeProvider('application/pdf', { ruled: null }), 'document_extractor');
  assert.equal(routeProvider('video/mp4', { ruled: 'audio_extractor' }), 'audio_extractor');
});

it('sends text that needs no engine to none', () => {
  const without = ['text/plain', 'text/markdown', 'text/csv', 'application/json', 'text/x-python'];
  const withEngine = ['text/html', 'application/xhtml+xml', 'application/pdf', 'image/svg+xml', 'audio/mpeg'];
  for (const type of without) assert.equal(needsNoEngine(type), true, type);
  for (const type of withEngine) assert.equal(needsNoEngine(type), false, type);
});
