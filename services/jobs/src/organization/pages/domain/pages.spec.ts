import { describe, expect, it } from '@jest/globals';
import { hundredthsOf, hundredthsOfRun, pagesOf, type CountedWork } from './pages.js';

const PDF = 'application/pdf';
const office = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`;

describe('pages', () => {
  const pages = (contentType: string | null, work: Partial<CountedWork> = {}) =>
    pagesOf({ contentType, pageCount: null, characters: 0, durationSeconds: null, ...work });

  it('of a PDF, DOCX or PPTX are its pages or slides, whatever text they hold', () => {
    for (const type of [PDF, office('wordprocessingml.document'), office('presentationml.presentation')]) {
      expect(pages(type, { pageCount: 12, characters: 100_000 })).toBe(12);
      expect(pages(type, { pageCount: 12 })).toBe(12);
    }
    expect(pages('Application/PDF; version=1.7', { pageCount: 2, characters: 9_000 })).toBe(2);
  });

  it('of a document with an unknown number of pages are those of its text', () => {
    expect(pages(office('wordprocessingml.document'), { characters: 6_001 })).toBe(3);
  });

  it('of an image are one, also where its text is long', () => {
    expect(pages('image/png')).toBe(1);
    expect(pages('image/tiff', { pageCount: 7, characters: 50_000 })).toBe(1);
  });

  it('of audio are its started minutes', () => {
    const minutes = (durationSeconds: number) => pages('audio/mpeg', { durationSeconds, characters: 99_999 });
    expect([0, 0.4, 60, 60.1, 3_600].map(minutes)).toStrictEqual([1, 1, 1, 2, 60]);
  });

  it('of everything else are its started 3,000 characters, whatever pages are reported', () => {
    const text = (characters: number) => pages('text/plain', { characters, pageCount: 40 });
    expect([0, 1, 3_000, 3_001, 6_000, 6_001].map(text)).toStrictEqual([1, 1, 1, 2, 2, 3]);
    expect(pages(office('spreadsheetml.sheet'), { characters: 3_001, pageCount: 9 })).toBe(2);
    expect(pages(null, { characters: 3_001 })).toBe(2);
  });

  it('of one job are at most a million, however many a file states', () => {
    for (const stated of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(pages(PDF, { pageCount: stated })).toBe(1_000_000);
      expect(pages('audio/flac', { durationSeconds: stated })).toBe(1_000_000);
      expect(pages('text/plain', { characters: stated })).toBe(1_000_000);
    }
  });

  it("count at 60 % where the organization's own key was used", () => {
    expect([hundredthsOf(3, 'managed'), hundredthsOf(3, 'organization')]).toStrictEqual([300, 180]);
  });

  it('of a job follow from what its run recorded', () => {
    const extraction = { key: 'organization' as const, page_count: 5, characters: 10, duration_seconds: null };
    expect(hundredthsOfRun(PDF, extraction)).toBe(300);
    expect(hundredthsOfRun('audio/wav', { ...extraction, key: 'managed', duration_seconds: 61 })).toBe(200);
  });
});
