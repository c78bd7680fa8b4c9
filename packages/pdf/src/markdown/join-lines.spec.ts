import { describe, expect, it } from '@jest/globals';
import { LineJoiner } from './join-lines.js';

const join = (joiner: LineJoiner, ...lines: string[]): string =>
  joiner.join(lines.map((text) => ({ text, isBroken: false })));

describe('LineJoiner', () => {
  it('joins words that are divided at the end of a line', () => {
    expect(join(new LineJoiner(), 'the insula-', 'tion of kilns')).toBe('the insulation of kilns');
    expect(join(new LineJoiner(), 'the insula\u2010', 'tion of kilns')).toBe('the insulation of kilns');
  });

  it('keeps the hyphen of compounds that the document uses', () => {
    const joiner = new LineJoiner();
    joiner.learn(['multi-agent', 'low', 'level'].map((text) => ({ text })));
    expect(join(joiner, 'a multi-', 'agent system')).toBe('a multi-agent system');
    expect(join(joiner, 'a low-', 'level call')).toBe('a low-level call');
  });

  it('keeps hyphens before capital letters, without a space, and dashes', () => {
    expect(join(new LineJoiner(), 'Baden-', 'Baden')).toBe('Baden-Baden');
    expect(join(new LineJoiner(), 'kilns –', 'and more')).toBe('kilns – and more');
  });

  it('writes no space between ideographs', () => {
    expect(join(new LineJoiner(), '窑炉的', '温度')).toBe('窑炉的温度');
  });

  it('keeps the line ends that the author wrote', () => {
    expect(
      new LineJoiner().join([
        { text: 'Seestrasse 12', isBroken: true },
        { text: 'Thalwil', isBroken: false },
      ]),
    ).toBe('Seestrasse 12\nThalwil');
  });
});
