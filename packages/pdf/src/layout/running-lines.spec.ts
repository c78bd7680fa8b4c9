import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { PageContent, Word } from '../page-model.js';
import { RunningLines } from './running-lines.js';

const page = (words: Word[]): PageContent => ({
  width: 600,
  height: 800,
  words,
  rotation: 0,
  turned: [],
  rules: [],
  structure: null,
});
function dropped(pages: readonly Word[][]): string[] {
  const running = new RunningLines();
  for (const [index, words] of pages.entries()) running.see(index + 1, page(words));
  return pages.map((_, index) => [...running.on(index + 1)].map(({ text }) => text).join(' '));
}

describe('RunningLines', () => {
  it('are lines that repeat in the margins, whatever their numbers', () => {
    const pages = [1, 2, 3].map((number) => [
      ...placedWords(60, 40 + number, 'Annual Report'),
      ...placedWords(60, 400, 'The same line of the text'),
      ...placedWords(300, 780, `Page ${number} of 3`),
    ]);
    expect(dropped(pages)).toStrictEqual([1, 2, 3].map((number) => `Annual Report Page ${number} of 3`));
  });

  it('are not lines on two pages only, except numbers of pages', () => {
    const pages = [1, 2].map((number) => [
      ...placedWords(60, 40, 'Invoice'),
      ...placedWords(300, 780, `- ${number} -`),
    ]);
    expect(dropped(pages)).toStrictEqual(['- 1 -', '- 2 -']);
    expect(dropped([placedWords(300, 780, '1')])).toStrictEqual(['']);
  });

  it('are not lines of a paragraph that reaches into the margin', () => {
    const pages = [1, 2, 3].map(() => [
      ...placedWords(60, 92, 'The first line of a form'),
      ...placedWords(60, 104, 'and the second one'),
    ]);
    expect(dropped(pages)).toStrictEqual(['', '', '']);
  });

  it('differ on left and right pages, and from chapter to chapter', () => {
    const pages = Array.from({ length: 12 }, (_, index) =>
      placedWords(60, 40, index % 2 === 0 ? 'Book' : index < 6 ? 'Chapter One' : 'Chapter Two'),
    );
    expect(dropped(pages).every((text) => text !== '')).toBe(true);
  });

  it('are not the names of columns above the rows of a table', () => {
    const cells = (y: number, ...texts: string[]): Word[] =>
      texts.flatMap((text, index) => placedWords(60 + index * 100, y, text));
    const pages = [1, 2, 3].map((number) => [
      ...cells(40, 'Inventory', 'of the kilns', 'in the north'),
      ...cells(70, 'Kiln', 'Load', 'Loss'),
      ...cells(86, `Gas ${number}`, `${number}20`, `${number}.1`),
    ]);
    expect(dropped(pages)).toStrictEqual(pages.map(() => 'Inventory of the kilns in the north'));
  });
});
