// A test collection of BEIR in a folder: `docs.jsonl` (id, title, text), `queries.jsonl` (id, text), `qrels.tsv` (query, document, grade).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredFile } from '../stored-files.js';

interface Line {
  id: string;
  title?: string;
  text: string;
}

export interface TestCollection {
  documents: readonly Line[];
  /** One for each document, in the same order. */
  files: StoredFile[];
  /** The ids of the documents that have evidence, by the text of the claim. Claims without evidence are left out. */
  evidence: ReadonlyMap<string, ReadonlySet<string>>;
}

export function readTestCollection(folder: string | undefined): TestCollection {
  if (folder === undefined) throw new Error('name the folder of a test collection');
  const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const objectsOf = (name: string) => linesOf(name).map((line) => JSON.parse(line) as Line);
  const documents = objectsOf('docs.jsonl');
  const evidenceOf = new Map<string, Set<string>>();
  for (const line of linesOf('qrels.tsv')) {
    const [query = '', document = ''] = line.split('\t');
    evidenceOf.set(query, (evidenceOf.get(query) ?? new Set()).add(document));
  }
  const claims = objectsOf('queries.jsonl').filter(({ id }) => evidenceOf.has(id));
  return {
    documents,
    files: documents.map(({ id, title = '', text }) => ({ filename: `${id}.md`, text: `# ${title}\n\n${text}\n` })),
    evidence: new Map(claims.map(({ id, text }) => [text, evidenceOf.get(id) ?? new Set<string>()])),
  };
}
