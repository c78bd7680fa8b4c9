// What a caller sees of an answer while it is written. Statements that no source supports are left out, citations get their numbers, and
// links that no source contains are removed.
import { CitationNumbers, divideAtCitations } from './citations.js';
import { Evidence, type Support } from './evidence.js';
import type { Excerpt } from './excerpt.js';
import { LinkFilter, SourceAddresses } from './link-filter.js';
import { NOTHING_FOUND } from './prompt.js';
import { proveStatement, type ProvenText } from './prove-statement.js';
import type { Sentence } from './sentences.js';
import { StatementReader } from './statement-reader.js';

const SPACE_AT_END = /\s*$/;
/** No space stands between these and a citation. */
const JOINED_TO_CITATION = /(?:^|[([{\]])$/;
const MARKER = /\[(\d+)\]/g;

/** A citation in the text that was shown. */
export interface ShownCitation {
  /** The number of the source. */
  citation: number;
  /** Where `[n]` stands in the answer, in UTF-16 units. */
  position: number;
  excerpt: number;
  quote: Sentence | null;
}

export class ShownAnswer {
  private readonly statements = new StatementReader();
  private readonly numbers = new CitationNumbers();
  private readonly evidence: Evidence;
  /** Null for quotes, which contain no links except those of their sources. */
  private readonly links: LinkFilter | null;
  /** In the order of their citations. */
  private readonly supports: Support[] = [];
  private text = '';
  /** White space before the next statement. */
  private space = '';
  /** The beginning of a statement: "Yes." before another sentence. */
  private fragment = '';
  private omitted = 0;

  constructor(
    private readonly excerpts: readonly Excerpt[],
    isModel: boolean,
  ) {
    this.evidence = new Evidence(excerpts);
    this.links = isModel ? new LinkFilter(new SourceAddresses(excerpts)) : null;
  }

  /** The positions of the cited excerpts, in the order of their numbers. */
  get cited(): readonly number[] {
    return this.numbers.cited;
  }

  /** How many statements were left out, in whole or in part. */
  get omittedStatements(): number {
    return this.omitted;
  }

  /** Returns the text that can be shown after this piece. A removed citation can join the text around it, so links are filtered last. */
  add(piece: string): string {
    return this.show(this.withoutLinks(this.prove(this.statements.add(piece))));
  }

  /** Returns the rest of the answer. */
  end(): string {
    const rest = this.show(this.withoutLinks(this.prove(this.statements.end())) + (this.links?.end() ?? ''));
    return this.text === '' ? NOTHING_FOUND : rest;
  }

  /** The citations in the text that was shown, in order. */
  citations(): ShownCitation[] {
    const markers = this.text.matchAll(MARKER);
    return this.supports.flatMap(({ excerpt, quote }) => {
      const citation = this.numbers.of(excerpt);
      for (const { 1: number, index } of markers) {
        if (Number(number) === citation) return [{ citation, position: index, excerpt, quote }];
      }
      return [];
    });
  }

  private withoutLinks(text: string): string {
    return this.links ? this.links.add(text) : text;
  }

  private show(text: string): string {
    const shown = this.text === '' ? text.trimStart() : text;
    this.text += shown;
    return shown;
  }

  private prove(statements: readonly string[]): string {
    return statements.map((statement) => this.proveOne(statement)).join('');
  }

  private proveOne(statement: string): string {
    if (statement.trim() === '') {
      this.space += statement;
      return '';
    }
    const whole = this.fragment + statement;
    this.fragment = '';
    const isCited = divideAtCitations(whole, this.excerpts.length).some(({ cited }) => cited !== null);
    if (!isCited && this.evidence.isFragment(whole)) {
      this.fragment = whole;
      return '';
    }
    const proven = proveStatement(whole, this.evidence, this.excerpts.length);
    if (!proven?.isWhole) this.omitted++;
    const [spaceAfter = ''] = SPACE_AT_END.exec(whole) ?? [];
    const shown = proven === null ? '' : this.space + this.write(proven.parts).trimEnd();
    // The items of a list stay on separate lines when an item is left out.
    if (proven || !this.space.includes('\n')) this.space = spaceAfter;
    return shown;
  }

  private write(parts: readonly ProvenText[]): string {
    let written = '';
    for (const { text, support } of parts) {
      written += text;
      for (const one of support) {
        this.supports.push(one);
        written += `${JOINED_TO_CITATION.test(written) ? '' : ' '}[${this.numbers.of(one.excerpt)}]`;
      }
    }
    return written;
  }
}
