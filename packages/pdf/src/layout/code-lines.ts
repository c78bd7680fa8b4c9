import type { TextLine } from './text-lines.js';

/** Lines of code with the spaces that their positions show. */
export function codeLines(lines: readonly TextLine[], regionLeft: number): string[] {
  return lines.map((line) => {
    let text = '';
    for (const word of line.words) {
      const width = Math.max(1, (word.right - word.left) / Math.max(1, word.text.length));
      const column = Math.min(Math.round((word.left - regionLeft) / width), text.length + 200);
      text += word.isGlued ? '' : ' '.repeat(Math.max(text === '' ? 0 : 1, column - text.length));
      text += word.text;
    }
    return text;
  });
}
