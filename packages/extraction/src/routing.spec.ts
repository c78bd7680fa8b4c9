import { expect, it } from '@jest/globals';
import { isItsOwnText, needsNoEngine, providerFor, routeProvider, ruledProvider, type RoutingRule } from './routing.js';

const defaults = {
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
it.each(Object.entries(defaults))('routes %j to its default provider, %s', (contentType, provider) => {
  expect(providerFor(contentType)).toBe(provider);
});

it('lets an exact rule win over wildcards and a longer wildcard over a shorter one, in whatever order they stand', () => {
  const rules: RoutingRule[] = [
    { content_type: '*/*', provider: 'document_extractor' },
    { content_type: 'image/*', provider: 'audio_extractor' },
    { content_type: 'image/svg*', provider: 'document_extractor' },
    { content_type: 'IMAGE/png', provider: 'image_extractor' },
  ];
  for (const given of [rules, rules.toReversed()]) {
    expect(ruledProvider('image/PNG; x=1', given)).toBe('image_extractor');
    expect(ruledProvider('image/jpeg', given)).toBe('audio_extractor');
    expect(ruledProvider('image/svg+xml', given)).toBe('document_extractor');
    expect(ruledProvider('video/mp4', given)).toBe('document_extractor');
  }
  expect(ruledProvider('video/mp4', rules.slice(1))).toBeNull();
  expect(ruledProvider('imagex/png', rules.slice(1))).toBeNull();
});

it('routes by the request, otherwise by the organization, otherwise by the table', () => {
  const choice = { requested: 'audio_extractor', ruled: 'image_extractor' } as const;
  expect(routeProvider('application/pdf', choice)).toBe('audio_extractor');
  expect(routeProvider('application/pdf', { ...choice, requested: undefined })).toBe('image_extractor');
  expect(routeProvider('application/pdf', { ruled: null })).toBe('document_extractor');
  expect(routeProvider('video/mp4', { ruled: 'audio_extractor' })).toBe('audio_extractor');
});

it.each(['text/plain', 'text/markdown', 'text/csv', 'application/json', 'text/x-python'])(
  'sends %s to no engine, because it is text already',
  (type) => {
    expect(needsNoEngine(type)).toBe(true);
  },
);

it.each(['text/html', 'application/xhtml+xml', 'application/pdf', 'image/svg+xml', 'audio/mpeg'])(
  'sends %s to an engine',
  (type) => {
    expect(needsNoEngine(type)).toBe(false);
  },
);

it('takes the length of a file for that of its text only where they are about the same', () => {
  for (const type of ['text/plain', 'text/markdown', 'text/csv', 'application/json'])
    expect([type, isItsOwnText(type)]).toStrictEqual([type, true]);
  for (const type of ['message/rfc822', 'text/html', 'application/pdf'])
    expect([type, isItsOwnText(type)]).toStrictEqual([type, false]);
});
