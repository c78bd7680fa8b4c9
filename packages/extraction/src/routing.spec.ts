import assert from 'node:assert/strict';
import { it } from 'node:test';
import { providerFor } from './routing.js';

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
