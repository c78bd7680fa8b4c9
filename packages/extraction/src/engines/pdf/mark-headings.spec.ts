import { describe, expect, it } from '@jest/globals';
import { markHeadings } from './mark-headings.js';

const heading = [{ level: 3, text: '5.1 Hyper (Parameter) Search' }];

describe('markHeadings', () => {
  it('separates a heading from the paragraph that contains it', () => {
    expect(markHeadings('It ends. **5.1 Hyper (Parameter) Search** We chose.', heading)).toBe(
      'It ends.\n\n### 5.1 Hyper (Parameter) Search\n\nWe chose.',
    );
  });

  it('does not change a text that contains the words twice, or only in a table, a list or a heading', () => {
    for (const text of [
      '5.1 Hyper (Parameter) Search and 5.1 Hyper (Parameter) Search',
      '| 5.1 Hyper (Parameter) Search |',
      '- 5.1 Hyper (Parameter) Search',
      '# 5.1 Hyper (Parameter) Search',
    ]) {
      expect(markHeadings(text, heading)).toBe(text);
    }
  });

  it('matches whole words only', () => {
    expect(markHeadings('See 15.1 Hyper (Parameter) Searching', heading)).toBe('See 15.1 Hyper (Parameter) Searching');
  });
});
