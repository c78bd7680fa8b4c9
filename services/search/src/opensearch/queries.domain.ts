// The searches that Kiln sends to OpenSearch. They score as score-postings.ts does: a file by its best chunk and a share of its title.
import { B, K1, TITLE_WEIGHT } from '../searching/domain/bm25.js';
import type { Clause } from '../searching/domain/clause.js';
import type { RemoteFilter, RemoteMatch, RemoteRanking } from '../text-index/remote-index.port.js';
import {
  FILES_PER_REQUEST_MAX,
  FREQUENCY_BOOST,
  PASSAGES_PER_FILE_MAX,
  tenantMark,
} from './index-definition.domain.js';

type Query = Record<string, unknown>;

/** The most values of one `terms` query: `index.max_terms_count`. */
const VALUES_MAX = 65_536;

const CHUNK_TERMS = 'chunks.terms';
export const BEST_CHUNKS = 'best';
export const clauseChunks = (position: number, variant: number) => `clause ${position} ${variant}`;
export const clauseTitle = (position: number) => `title ${position}`;

const anyOf = (queries: readonly Query[]): Query => ({ bool: { should: queries, minimum_should_match: 1 } });
const allOf = (queries: readonly Query[]): Query => ({ bool: { filter: queries } });
const nested = (query: Query, more: Query = {}): Query => ({ nested: { path: 'chunks', query, ...more } });
const innerHits = (name: string, size: number): Query => ({
  inner_hits: {
    name,
    size: Math.min(size, PASSAGES_PER_FILE_MAX),
    _source: false,
    docvalue_fields: ['chunks.place'],
  },
});

/** The number of passages with the term is the score of the best hit, in the chunks and in the titles. */
export function frequencyQueries(tenantId: string, term: string): Query[] {
  const value = tenantMark(tenantId) + term;
  const inField = (field: string) => ({ term: { [field]: { value, boost: FREQUENCY_BOOST } } });
  const queries = [nested(inField(CHUNK_TERMS), { score_mode: 'max' }), inField('title')];
  return queries.map((query) => ({ size: 1, terminate_after: 1, _source: false, track_total_hits: false, query }));
}

export function rankingQuery(ranking: RemoteRanking): Query {
  const { limit, chunksPerFile, averageChunkLength, averageTitleLength } = ranking;
  const chunks = scoreOf(ranking, CHUNK_TERMS, 'chunks.length', averageChunkLength, 1);
  const best = chunksPerFile === 0 ? {} : innerHits(BEST_CHUNKS, chunksPerFile);
  const score = anyOf([
    nested(chunks, { score_mode: 'max', ...best }),
    scoreOf(ranking, 'title', 'title_length', averageTitleLength, TITLE_WEIGHT),
  ]);
  const clauses = clauseQueries(ranking);
  const named = ranking.fileIds === undefined ? [] : [{ terms: { file: ranking.fileIds } }];
  return {
    size: Math.min(limit, FILES_PER_REQUEST_MAX),
    track_total_hits: true,
    track_scores: true,
    sort: ['_score', { file: 'asc' }],
    ...FIELDS,
    query: {
      bool: {
        must: [score],
        ...filterOf(ranking, [...clauses.required, ...named], clauses.forbidden),
        should: clauses.located,
      },
    },
  };
}

/** A page of files that match. */
export function matchQuery(match: RemoteMatch, limit: number, after: string | null): Query {
  const mark = tenantMark(match.tenantId);
  const words = match.words.map(({ groups }) =>
    allOf(groups.map((group) => anyOf(group.flatMap((term) => hasTerm(mark + term))))),
  );
  const among = match.among === null ? [] : [{ terms: { file: match.among } }];
  return {
    size: limit,
    track_total_hits: false,
    sort: [{ file: 'asc' }],
    ...FIELDS,
    query: { bool: filterOf(match, [anyOf(words), ...among], []) },
    ...(after !== null && { search_after: [after] }),
  };
}

const FIELDS = { _source: false, docvalue_fields: ['file', 'job_number', 'fence'] };

const hasTerm = (value: string): Query[] => [nested({ term: { [CHUNK_TERMS]: value } }), { term: { title: value } }];

function filterOf(
  { tenantId, facets, leftOut }: RemoteFilter,
  required: readonly Query[],
  forbidden: readonly Query[],
) {
  const starts = Array.from({ length: Math.ceil(leftOut.length / VALUES_MAX) }, (_, at) => at * VALUES_MAX);
  return {
    filter: [{ term: { tenant: tenantId } }, ...facets.map((facet) => ({ term: { facets: facet } })), ...required],
    must_not: [...forbidden, ...starts.map((start) => ({ terms: { file: leftOut.slice(start, start + VALUES_MAX) } }))],
  };
}

/** One script for each term: its query passes over the postings, and its score is the number of repeats. */
function scoreOf(
  { tenantId, terms }: RemoteRanking,
  field: string,
  length: string,
  average: number,
  factor: number,
): Query {
  const mark = tenantMark(tenantId);
  const source = `params.weight * _score / (_score + params.fixed + params.perTerm * doc['${length}'].value)`;
  const bm25 = { fixed: K1 * (1 - B), perTerm: (K1 * B) / average };
  return anyOf(
    terms.map(({ term, weight }) => ({
      script_score: {
        query: { term: { [field]: mark + term } },
        script: { source, params: { ...bm25, weight: weight * factor } },
      },
    })),
  );
}

/** `located`: adds nothing to the score, and returns the places where an excluded phrase may be. */
function clauseQueries({ tenantId, clauses, passagesPerFile }: RemoteRanking) {
  const mark = tenantMark(tenantId);
  const required: Query[] = [];
  const forbidden: Query[] = [];
  const located: Query[] = [];
  for (const [position, clause] of clauses.entries()) {
    const query = clauseQuery(clause, position, mark, clause.needsText ? passagesPerFile : 0);
    if (!clause.excluded) required.push(query);
    else if (clause.needsText) located.push({ constant_score: { filter: query, boost: 0 } });
    else forbidden.push(query);
  }
  return { required, forbidden, located };
}

function clauseQuery({ variants }: Clause, position: number, mark: string, passages: number): Query {
  const inField = (field: string, terms: readonly string[]) =>
    allOf(terms.map((term) => ({ term: { [field]: mark + term } })));
  const chunks = variants.map(({ terms }, variant) =>
    nested(inField(CHUNK_TERMS, terms), passages > 0 ? innerHits(clauseChunks(position, variant), passages) : {}),
  );
  const titles = anyOf(variants.map(({ terms }) => inField('title', terms)));
  return anyOf([...chunks, { bool: { ...(titles['bool'] as Query), _name: clauseTitle(position) } }]);
}
