import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hundredthsOf, hundredthsOfRun, pagesOf, type CountedWork } from './pages.js';

const PDF = 'application/pdf';
const office = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`;

describe('pages', () => {
  const pages = (contentType: string | null, work: Partial<CountedWork> = {}) =>
    pagesOf({ contentType, pageCount: null, characters: 0, durationSeconds: null, ...work });

  it('of a PDF, DOCX or PPTX are its pages or slides, whatever text they hold', () => {
    for (const type of [PDF, office('wordprocessingml.document'), office('presentationml.presentation')]) {
      assert.equal(pages(type, { pageCount: 12, characters: 100_000 }), 12);
      assert.equal(pages(type, { pageCount: 12 }), 12);
    }
    assert.equal(pages('Application/PDF; version=1.7', { pageCount: 2, characters: 9_000 }), 2);
  });

  it('of a document whose pages nobody knows are those of its text', () => {
    assert.equal(pages(office('wordprocessingml.document'), { characters: 6_001 }), 3);
  });

  it('of an image are one, also where its text is long', () => {
    assert.equal(pages('image/png'), 1);
    assert.equal(pages('image/tiff', { pageCount: 7, characters: 50_000 }), 1);
  });

  it('of audio are its started minutes', () => {
    const minutes = (durationSeconds: number) => pages('audio/mpeg', { durationSeconds, characters: 99_999 });
    assert.deepEqual([0, 0.4, 60, 60.1, 3_600].map(minutes), [1, 1, 1, 2, 60]);
  });

  it('of everything else are its started 3,000 characters, whatever pages are told of', () => {
    const text = (characters: number) => pages('text/plain', { characters, pageCount: 40 });
    assert.deepEqual([0, 1, 3_000, 3_001, 6_000, 6_001].map(text), [1, 1, 1, 2, 2, 3]);
    assert.equal(pages(office('spreadsheetml.sheet'), { characters: 3_001, pageCount: 9 }), 2);
    assert.equal(pages(null, { characters: 3_001 }), 2);
  });

  it("count at 60 % where the organization's own key was used", () => {
    assert.deepEqual([hundredthsOf(3, 'managed'), hundredthsOf(3, 'organization')], [300, 180]);
  });

  it('of a job are what its run has noted', () => {
    const extraction = { key: 'organization' as const, page_count: 5, characters: 10, duration_seconds: null };
    assert.equal(hundredthsOfRun(PDF, extraction), 300);
    assert.equal(hundredthsOfRun('audio/wav', { ...extraction, key: 'managed', duration_seconds: 61 }), 200);
  });
});
