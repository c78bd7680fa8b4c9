import { expect, it } from '@jest/globals';
import { contrast } from '@kiln/console/ui/contrast.js';
import { accentOf } from './accent.js';

const shares = Array.from({ length: 16 }, (_, index) => (index * 17).toString(16).padStart(2, '0'));
/** 4,096 colours, evenly spread. */
const colors = shares.flatMap((red) => shares.flatMap((green) => shares.map((blue) => `#${red}${green}${blue}`)));

it('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#1a2b3c', '#1a2b3c')).toBe(1);
});

it('any colour can be read: links on each surface of both themes, and texts on buttons', () => {
  const unreadable = colors.filter((color) => {
    const { light, dark, fill, onFill } = accentOf(color);
    const pairs = [
      ...['#ffffff', '#f7f7f6', '#f1f1ef'].map((surface) => [light, surface] as const),
      ...['#101012', '#17171a', '#1e1e22', '#202024'].map((surface) => [dark, surface] as const),
      [fill, onFill] as const,
    ];
    return pairs.some(([one, other]) => contrast(one, other) < 4.5);
  });
  expect(unreadable).toStrictEqual([]);
});

it('a colour that can be read is not changed', () => {
  expect(accentOf('#1a2b3c')).toMatchObject({ light: '#1a2b3c', fill: '#1a2b3c', onFill: '#ffffff' });
  expect(accentOf('#ffb366')).toMatchObject({ dark: '#ffb366', onFill: '#000000' });
});
