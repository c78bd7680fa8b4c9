import { describe, expect, it } from '@jest/globals';
import { checkFieldsSoFar, parseUploadFields } from './upload-fields.domain.js';

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
    expect(parsed).toStrictEqual({
      filename: 'a.pdf',
      metadata: { a: 'b' },
      chunking: { strategy: 'sentence', chunk_size: 500, chunk_overlap: 50 },
      variants: ['markdown'],
      skip_processing: true,
      size_bytes: 12,
    });
  });

  it('name themselves when they are wrong', () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ metadata: '{' }, /^metadata must be JSON/],
      [{ metadata: '{"a":1}' }, /^metadata\.a /],
      [{ skip_processing: 'yes' }, /^skip_processing /],
      [{ size_bytes: '1e3' }, /^size_bytes /],
      [{ variants: '["video"]' }, /^variants\[0\] /],
      [{ space: 'a/b' }, /^space /],
    ];
    for (const [given, message] of wrong) {
      expect(() => parseUploadFields(fields(given), 'a.pdf')).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
      );
    }
  });

  it('take the field filename before the name of the part, and need one of them', () => {
    expect(parseUploadFields(fields({ filename: 'b.pdf' }), 'a.pdf').filename).toBe('b.pdf');
    expect(() => parseUploadFields(fields({}), undefined)).toThrow(/^filename /);
  });

  it('are refused before any byte is stored, as far as they are known by then', () => {
    expect(() => checkFieldsSoFar(fields({}), '../../etc/passwd')).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(/^filename /) }),
    );
    expect(() => checkFieldsSoFar(fields({ space: '' }), 'a.pdf')).toThrow(/space /);
    expect(() => checkFieldsSoFar(fields({}), undefined)).not.toThrow();
  });

  it('are not refused for the name of a part in whose place the field filename stands', () => {
    expect(() => checkFieldsSoFar(fields({ filename: 'a.pdf' }), String.raw`C:\scans\a.pdf`)).not.toThrow();
    expect(() => checkFieldsSoFar(fields({ filename: 'in/a.pdf' }), 'a.pdf')).toThrow(/^filename /);
  });
});
