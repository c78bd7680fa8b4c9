import { describe, expect, it } from '@jest/globals';
import { EVERYTHING, extend, isSelected, NOTHING, selectLoaded, toggle } from './selection.js';

const loaded = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort();

describe('the selection', () => {
  it('is changed by single files', () => {
    const one = toggle(NOTHING, 'b', loaded);
    expect([ids(one), isSelected(one, 'b'), isSelected(one, 'a')]).toStrictEqual([['b'], true, false]);
    expect(ids(toggle(one, 'b', loaded))).toStrictEqual([]);
  });

  it('extends from the last selected file, in both directions', () => {
    expect(ids(extend(toggle(NOTHING, 'b', loaded), 'd', loaded))).toStrictEqual(['b', 'c', 'd']);
    expect(ids(extend(toggle(NOTHING, 'd', loaded), 'b', loaded))).toStrictEqual(['b', 'c', 'd']);
    expect(ids(extend(NOTHING, 'd', loaded))).toStrictEqual(['d']);
  });

  it('of everything also covers files that are not loaded, until one is taken out', () => {
    expect(isSelected(EVERYTHING, 'not loaded')).toBe(true);
    expect(ids(toggle(EVERYTHING, 'c', loaded))).toStrictEqual(['a', 'b', 'd', 'e']);
    expect(ids(selectLoaded(loaded))).toStrictEqual(loaded);
  });
});
