// A place in a file that can be shown on its page, such as a quote of an answer.
import type { Schemas } from '@kiln/sdk';

/** Shares of the page as it is shown. */
export type Region = Schemas['AnswerSource']['regions'][number];

const percent = (share: number) => `${share * 100}%`;

/** The style of an element over the region. */
export const placeOf = ({ x, y, width, height }: Region) => ({
  left: percent(x),
  top: percent(y),
  width: percent(width),
  height: percent(height),
});

export interface Passage {
  fileId: string;
  filename: string;
  page: number;
  regions: readonly Region[];
}

/** The last event of an answer: its sources and citations. */
export type AnswerEnding = Extract<Schemas['AnswerEvent'], { type: 'sources' }>;

/** The quote at this place of the answer. Null if it has no page. */
export function passageOf(ending: AnswerEnding | null, citation: number, position: number): Passage | null {
  const source = ending?.sources.find((one) => one.citation === citation);
  const found = ending?.citations.filter((one) => one.citation === citation) ?? [];
  const { quote } = found.find((one) => one.position === position) ?? found[0] ?? {};
  const page = quote?.page ?? source?.page ?? null;
  if (!source || page === null) return null;
  return { fileId: source.file_id, filename: source.filename, page, regions: quote?.regions ?? source.regions };
}
