import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFieldsSoFar, parseUploadFields } from './upload-fields.js';

const fields = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe('multipart fields', () => {
  it('get the types of their JSON twins', () => {
    const parsed = parseUploadFields(
      fields({
        metadata: '{"a":"b"}',
        chunking: '{"strategy":"sentence","chunk_size":500,"chunk_overlap":50}',
        variants: '["markdown"]',
        skip_processing: 'true',
        size_bytes: '12',
        unknown: 'ignored',
      }),
      'a.pdf',
    );
    assert.deepEqual(parsed, {
      filename: 'a.pdf',
      space: 'default',
      metadata: { a: 'b' },
      chunking: { strategy: 'sentence', chunk_size: 500, chunk_overlap: 50 },
      variants: ['markdown'],
      skip_processing: true,
      size_bytes: 12,
    });
  });

  it('name themselves when they are wrong', () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ metadata: '{' }, /^metadata: must be JSON/],
      [{ metadata: '{"a":1}' }, /^metadata\.a:/],
      [{ skip_processing: 'yes' }, /^skip_processing:/],
      [{ size_bytes: '1e3' }, /^size_bytes:/],
      [{ variants: '["video"]' }, /^variants\[0\]:/],
      [{ space: 'a/b' }, /^space:/],
    ];
    for (const [given, message] of wrong) {
      assert.throws(() => parseUploadFields(fields(given), 'a.pdf'), { code: 'BAD_REQUEST', message });
    }
  });

  it('take the field filename before the name of the part, and need one of them', () => {
    assert.equal(parseUploadFields(fields({ filename: 'b.pdf' }), 'a.pdf').filename, 'b.pdf');
    assert.throws(() => parseUploadFields(fields({}), undefined), /^CodedError: filename:/);
  });

  it('are refused before any byte is stored, as far as they are known by then', () => {
    assert.throws(() => checkFieldsSoFar(fields({}), '../../etc/passwd'), {
      code: 'BAD_REQUEST',
      message: /^filename:/,
    });
    assert.throws(() => checkFieldsSoFar(fields({ space: '' }), 'a.pdf'), /space:/);
    assert.doesNotThrow(() => checkFieldsSoFar(fields({}), undefined));
  });
});
