import { expect, it } from '@jest/globals';
import { isSuperseded } from './superseded.domain.js';

const key = (job: string, fence: number, name: string) => `tenant/file/${job}/${fence}/${name}`;

it('before a job is completed all of its objects stay, and of other jobs those that variants refer to', () => {
  const kept = { jobId: 'new', status: 'processing', keys: [key('old', 1, 'metadata.json')] };
  expect(isSuperseded(key('new', 1, 'markdown.md'), kept)).toBe(false);
  expect(isSuperseded(key('old', 1, 'metadata.json'), kept)).toBe(false);
  expect(isSuperseded(key('old', 1, 'markdown.md'), kept)).toBe(true);
});

it('of a completed job the objects beside its variants stay, and those of earlier runs are removed', () => {
  const kept = { jobId: 'new', status: 'completed', keys: [key('new', 2, 'markdown.md')] };
  expect(isSuperseded(key('new', 2, 'chunks.ndjson'), kept)).toBe(false);
  expect(isSuperseded(key('new', 1, 'chunks.ndjson'), kept)).toBe(true);
});

it('of a file without a job only the objects that its variants refer to stay', () => {
  expect(isSuperseded(key('old', 1, 'markdown.md'), { jobId: null, status: 'uploaded', keys: [] })).toBe(true);
});
