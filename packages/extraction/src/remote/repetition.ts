/**
 * Finds text that a model has produced in a loop. Text loops when a stretch of it is one unit, repeated without a gap. Letters and digits
 * are compared, so that spacing, punctuation and the marks of tables neither make a loop nor hide one.
 */

interface Window {
  /** In letters and digits. */
  characters: number;
  /** A unit repeated that often within the window is a loop. */
  repeats: number;
  /** Whether a unit without a letter is one, too. */
  ofDigits?: boolean;
}

/**
 * Short units have to be repeated more often: choruses, forms and tables repeat words, too. Tables of zeros and page numbers repeat digits,
 * but not as many as a dense page has characters.
 */
const WINDOWS: readonly Window[] = [
  { characters: 1_000, repeats: 10 },
  { characters: 4_000, repeats: 10, ofDigits: true },
  { characters: 12_000, repeats: 4 },
];

/** Takes time proportional to the length of the text. A loop is found if it is half as long again as its window. */
export function isRepetitive(text: string): boolean {
  const compared = text.replace(/[^\p{L}\p{N}]+/gu, '');
  return WINDOWS.some((window) => holdsLoop(compared, window));
}

function holdsLoop(text: string, { characters, repeats, ofDigits = false }: Window): boolean {
  const borders = new Int32Array(characters);
  for (let start = 0; start + characters <= text.length; start += characters / 2) {
    const stretch = text.slice(start, start + characters);
    const period = periodOf(stretch, borders);
    if (period * repeats <= characters && (ofDigits || /\p{L}/u.test(stretch.slice(0, period)))) return true;
  }
  return false;
}

/** The length of the shortest unit whose repetition is the text: Knuth, Morris and Pratt's failure function. */
function periodOf(text: string, borders: Int32Array): number {
  let border = 0;
  borders[0] = 0;
  for (let at = 1; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border++;
    borders[at] = border;
  }
  return text.length - border;
}
