import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startSearch, type SearchHarness } from './search-harness.js';

describe('search', () => {
  let kiln: SearchHarness;
  before(async () => {
    kiln = await startSearch();
  });
  after(() => kiln.close());

  it('finds a file as soon as indexing has answered', async () => {
    const tenantId = randomUUID();
    const fileId = await kiln.index({ tenantId, chunks: ['The quick brown foxes', 'jump over lazy dogs'] });
    const { results, total, mode } = await kiln.search(tenantId, 'jumping DOG');
    assert.equal(total, 1);
    assert.equal(mode, 'text');
    assert.equal(results[0]?.file_id, fileId);
    assert.equal(results[0]?.snippet, '<mark>jump</mark> over lazy <mark>dogs</mark>');
    assert.equal(results[0]?.chunk_text, 'jump over lazy dogs');
    const { score = -1 } = results[0] ?? {};
    assert.ok(score > 0 && score <= 1, `score ${score}`);
  });
});
