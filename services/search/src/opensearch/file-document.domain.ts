// Makes the document of a file of its rows of the tail.
import { isFacet } from '../postings/domain/facet.js';
import { PostingCursor } from '../postings/domain/postings.js';
import { termsOfTail } from '../postings/domain/tail-data.js';
import { documentId, tenantMark } from './index-definition.domain.js';

/** A row of the tail. */
export interface MovedPart {
  file_id: string;
  job_number: number;
  fence: number;
  data: string;
}

export interface FileDocument {
  id: string;
  source: Record<string, unknown>;
}

interface PassageTerms {
  length: number;
  terms: string[];
}

/** `parts` are all rows of one file. */
export function fileDocument(tenantId: string, parts: readonly [MovedPart, ...MovedPart[]]): FileDocument {
  const mark = tenantMark(tenantId);
  const facets: string[] = [];
  const passages = new Map<number, PassageTerms>();
  for (const { data } of parts) {
    for (const [term, list] of termsOfTail(data, 0)) {
      if (isFacet(term)) facets.push(term);
      else addTerm(passages, mark + term, new PostingCursor([list]));
    }
  }
  const title = passages.get(0);
  const [{ file_id: fileId, job_number, fence }] = parts;
  const source = {
    tenant: tenantId,
    file: fileId,
    job_number,
    fence,
    facets,
    title: title?.terms.join(' ') ?? '',
    title_length: title?.length ?? 0,
    // Of chunks with equal scores, the first one is found.
    chunks: [...passages]
      .filter(([place]) => place > 0)
      .toSorted(([left], [right]) => left - right)
      .map(([place, { length, terms }]) => ({ place, length, terms: terms.join(' ') })),
  };
  return { id: documentId(tenantId, fileId), source };
}

function addTerm(passages: Map<number, PassageTerms>, term: string, postings: PostingCursor): void {
  for (; postings.number < Number.POSITIVE_INFINITY; postings.advance()) {
    const { place, repeats, length } = postings;
    const passage = passages.get(place) ?? { length, terms: [] };
    passages.set(place, passage);
    for (let count = 0; count < repeats; count++) passage.terms.push(term);
  }
}
