/** Letters only: a word with digits would also be found by its parts. */
const letters = (value: number) => String(value).replaceAll(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));

export const FLOOD_WORDS = Array.from({ length: 250 }, (_, at) => `wa${letters(at)}`);
