import { excerptOf, markedSegments } from '../../../ui/segments.js';

interface MarkedTextProps {
  text: string;
  ranges: readonly { start: number; end: number }[];
}

export function MarkedText(passage: MarkedTextProps) {
  const excerpt = excerptOf(passage);
  return markedSegments(excerpt.text, excerpt.ranges).map(({ text, start, isMarked }) => {
    const shown = text.replaceAll(/\n{2,}/g, '\n');
    return isMarked ? <mark key={start}>{shown}</mark> : <span key={start}>{shown}</span>;
  });
}
