// What a caller sees of an answer while it is written: citations are renumbered, and links that no source contains are removed.
import { CitationRewriter } from './citations.js';
import type { Excerpt } from './excerpt.js';
import { LinkFilter, SourceAddresses } from './link-filter.js';
import { NOTHING_FOUND } from './prompt.js';

export class ShownAnswer {
  private readonly citations: CitationRewriter;
  /** Null for quotes, which contain no links except those of their sources. */
  private readonly links: LinkFilter | null;
  private isEmpty = true;

  constructor(excerpts: readonly Excerpt[], isModel: boolean) {
    this.citations = new CitationRewriter(excerpts.length);
    this.links = isModel ? new LinkFilter(new SourceAddresses(excerpts)) : null;
  }

  /** The positions of the cited excerpts, in the order of their numbers. */
  get cited(): readonly number[] {
    return this.citations.cited;
  }

  /** Returns the text that can be shown after this piece. A removed citation can join the text around it, so links are filtered last. */
  add(piece: string): string {
    return this.show(this.withoutLinks(this.citations.add(piece)));
  }

  /** Returns the rest of the answer. */
  end(): string {
    const rest = this.show(this.withoutLinks(this.citations.end()) + (this.links?.end() ?? ''));
    return this.isEmpty ? NOTHING_FOUND : rest;
  }

  private withoutLinks(text: string): string {
    return this.links ? this.links.add(text) : text;
  }

  private show(text: string): string {
    const shown = this.isEmpty ? text.trimStart() : text;
    this.isEmpty &&= shown === '';
    return shown;
  }
}
