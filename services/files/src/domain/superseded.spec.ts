import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isSuperseded } from './superseded.js';

const key = (job: string, fence: number, name: string) => `tenant/file/${job}/${fence}/${name}`;

it('while a job is not completed all that it made stays, and of other jobs what a variant points to', () => {
  const kept = { jobId: 'new', status: 'processing', keys: [key('old', 1, 'metadata.json')] };
  assert.equal(isSuperseded(key('new', 1, 'markdown.md'), kept), false);
  assert.equal(isSuperseded(key('old', 1, 'metadata.json'), kept), false);
  assert.equal(isSuperseded(key('old', 1, 'markdown.md'), kept), true);
});

it('of a completed job what lies beside a variant stays, and what only earlier runs made goes', () => {
  const kept = { jobId: 'new', status: 'completed', keys: [key('new', 2, 'markdown.md')] };
  assert.equal(isSuperseded(key('new', 2, 'chunks.ndjson'), kept), false);
  assert.equal(isSuperseded(key('new', 1, 'chunks.ndjson'), kept), true);
});

it('of a file without a job nothing but what its variants point to stays', () => {
  assert.equal(isSuperseded(key('old', 1, 'markdown.md'), { jobId: null, status: 'uploaded', keys: [] }), true);
});
