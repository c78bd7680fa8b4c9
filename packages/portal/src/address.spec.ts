import { expect, it } from '@jest/globals';
import { hrefOf, readFragment } from './address.js';

const ID = 'file_01h455vb4pex5vsknk084sn02q';

it.each([
  [`#view=file&id=${ID}`, { view: 'file', id: ID, page: 1 }],
  [`#view=file&id=${ID}&page=12`, { view: 'file', id: ID, page: 12 }],
  ['#view=search&q=tin+glaze%26', { view: 'search', q: 'tin glaze&' }],
  ['#view=search', { view: 'search', q: '' }],
  ['#view=ask', { view: 'ask' }],
  ['#view=files', { view: 'files' }],
] as const)('%s is read, and is the link to what was read', (hash, address) => {
  expect(readFragment(hash)).toStrictEqual({ address, token: null, theme: null });
  expect(hrefOf(address)).toBe(hash);
});

it.each([
  ['', 'files'],
  ['#', 'files'],
  ['#view=admin', 'files'],
  ['#view=file&id=../secrets', 'files'],
  [`#view=file&id=${ID}&page=-3`, 'file'],
])('%j is read as far as it is known', (hash, view) => {
  expect(readFragment(hash).address).toMatchObject(view === 'file' ? { view, page: 1 } : { view });
});

it('a token and a theme are read beside any view, and a link never has them', () => {
  expect(readFragment('#token=kiln_pt_abc&theme=dark&view=ask')).toStrictEqual({
    address: { view: 'ask' },
    token: 'kiln_pt_abc',
    theme: 'dark',
  });
  expect(readFragment('#theme=neon').theme).toBeNull();
  expect(hrefOf(readFragment('#token=kiln_pt_abc&theme=dark').address)).toBe('#view=files');
});
