import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markHeadings } from './mark-headings.js';

const heading = [{ level: 3, text: '5.1 Hyper (Parameter) Search' }];

describe('markHeadings', () => {
  it('cuts a heading out of the paragraph it was drawn into', () => {
    assert.equal(
      markHeadings('It ends. **5.1 Hyper (Parameter) Search** We chose.', heading),
      'It ends.\n\n### 5.1 Hyper (Parameter) Search\n\nWe chose.',
    );
  });

  it('leaves a text alone that holds the words twice, or only in a table, a list or a heading', () => {
    for (const text of [
      '5.1 Hyper (Parameter) Search and 5.1 Hyper (Parameter) Search',
      '| 5.1 Hyper (Parameter) Search |',
      '- 5.1 Hyper (Parameter) Search',
      '# 5.1 Hyper (Parameter) Search',
    ]) {
      assert.equal(markHeadings(text, heading), text);
    }
  });

  it('matches whole words only', () => {
    assert.equal(markHeadings('See 15.1 Hyper (Parameter) Searching', heading), 'See 15.1 Hyper (Parameter) Searching');
  });
});
