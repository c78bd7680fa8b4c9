import { describe, expect, it } from '@jest/globals';
import { addLine, insertAtEndOf, insertBefore, raiseNumbers } from './edits.js';

const notOnce = (message: string) =>
  expect.objectContaining({ code: 'place_missing', message: expect.stringContaining(message) });

describe('an edit', () => {
  it('adds before its anchor, which must be there exactly once', () => {
    expect(insertBefore('end', 'new ')('start end')).toBe('start new end');
    expect(() => insertBefore('end', 'new')('start')).toThrow(notOnce('found none'));
    expect(() => insertBefore('end', 'new')('end end')).toThrow(notOnce('found more'));
  });

  it('adds at the end of a list, whatever follows it', () => {
    expect(insertAtEndOf('= [\n', '];', '  b,\n')('x = [\n  a,\n];\ny = [];')).toBe('x = [\n  a,\n  b,\n];\ny = [];');
    expect(() => insertAtEndOf('= [\n', '];', 'b')('x = [\n')).toThrow(notOnce('found none'));
    expect(() => insertAtEndOf('= [\n', '];', 'b')('x = {}')).toThrow(notOnce('found none'));
  });

  it('adds a line where it belongs in a sorted list, and at the end of another one', () => {
    expect(addLine(/^- /, '- b')('list:\n- a\n- c\nrest')).toBe('list:\n- a\n- b\n- c\nrest');
    expect(addLine(/^- /, '- d')('list:\n- a\n- c\nrest')).toBe('list:\n- a\n- c\n- d\nrest');
    expect(addLine(/^- /, '- b')('list:\n- c\n- a\nrest')).toBe('list:\n- c\n- a\n- b\nrest');
  });

  it('adds no line if there is no list, or if there are two', () => {
    expect(() => addLine(/^- /, '- b')('list:\n')).toThrow(notOnce('found none'));
    expect(() => addLine(/^- /, '- b')('one:\n- a\ntwo:\n- c')).toThrow(notOnce('found more'));
  });

  it('raises each of the expected numbers, or none', () => {
    expect(raiseNumbers(/needs (\d+)/g, 2, 30)('needs 293, needs 453, has 2')).toBe('needs 323, needs 483, has 2');
    expect(() => raiseNumbers(/needs (\d+)/g, 2, 30)('needs 293')).toThrow(notOnce('2 matches'));
  });
});
