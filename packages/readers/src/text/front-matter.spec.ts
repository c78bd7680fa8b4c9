import { describe, expect, it } from '@jest/globals';
import { splitFrontMatter } from './markdown-engine.js';

const split = (...lines: string[]) => splitFrontMatter(['---', ...lines, '---', '', '# Kilns', ''].join('\n'));

describe('front matter', () => {
  it('has its texts of several lines', () => {
    const lines = [
      'title: Kilns',
      'abstract: |',
      '  First,',
      '  - second.',
      'summary: >-',
      '  one',
      '  two',
      'note: a',
    ];
    expect(split(...lines, '  b')).toStrictEqual({
      fields: { title: 'Kilns', abstract: 'First,\n- second.', summary: 'one two', note: 'a b' },
      body: '# Kilns\n',
    });
  });

  it('has lists, and leaves out nested fields and comments', () => {
    const lines = ['tags:', '  - clay', '  - heat', 'author:', '  name: Ada', '# no field', 'draft: true'];
    expect(split(...lines)).toStrictEqual({
      fields: { tags: ['clay', 'heat'], author: '', draft: 'true' },
      body: '# Kilns\n',
    });
  });

  it('stays in the text if metadata cannot hold all of it', () => {
    const long = 'heat '.repeat(300).trim();
    const { fields, body } = split('title: Kilns', 'abstract: |', `  ${long}`);
    expect(fields).toStrictEqual({ title: 'Kilns', abstract: long });
    expect(body).toContain(long);
  });
});
