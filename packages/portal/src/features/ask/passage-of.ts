import type { Passage } from '../../ui/passage-panel.js';
import type { Ending } from './use-answer.js';

/** The quote at this place of the answer. Null if it has no page. */
export function passageOf(ending: Ending | null, citation: number, position: number): Passage | null {
  const source = ending?.sources.find((one) => one.citation === citation);
  const found = ending?.citations.filter((one) => one.citation === citation) ?? [];
  const { quote } = found.find((one) => one.position === position) ?? found[0] ?? {};
  const page = quote?.page ?? source?.page ?? null;
  if (!source || page === null) return null;
  return { fileId: source.file_id, filename: source.filename, page, regions: quote?.regions ?? source.regions };
}
