// What one transaction changes in a tenant's statistics. Collected first and written late, so that the slot, which others
// of the tenant may wait for, is locked for as short as possible. Memory is bounded: a file of endless different words
// writes in between and holds the lock longer, which hurts nobody but its own tenant.
import type { Transaction } from '@kiln/platform';
import { addTerms, countPassages, forgetTerms, registerSlot, subtractTerms } from './index.statements.js';

/** More slots let more files of one tenant be written at once, and cost a row each per term. */
const SLOTS = 4;
const TERMS_HELD_MAX = 200_000;
const TERMS_PER_STATEMENT = 5_000;

/** The slot a file counts in, always the same, so that no counter ever falls below zero. */
export function slotOf(fileId: string): number {
  return Number.parseInt(fileId.slice(-2), 16) % SLOTS;
}

export class StatisticsDelta {
  private readonly terms = new Map<string, number>();
  private passages = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };

  constructor(
    private readonly transaction: Transaction,
    private readonly tenantId: string,
    private readonly slot: number,
  ) {}

  addPassages(change: Partial<typeof this.passages>): void {
    this.passages.chunks += change.chunks ?? 0;
    this.passages.chunkLength += change.chunkLength ?? 0;
    this.passages.titles += change.titles ?? 0;
    this.passages.titleLength += change.titleLength ?? 0;
  }

  addTerm(term: string, passages: number): void {
    const sum = (this.terms.get(term) ?? 0) + passages;
    if (sum === 0) this.terms.delete(term);
    else this.terms.set(term, sum);
  }

  /** To be called between batches. Subtractions must be complete before the first addition: only then sums stay above zero. */
  async writeIfLarge(): Promise<void> {
    if (this.terms.size > TERMS_HELD_MAX) await this.write();
  }

  async write(): Promise<void> {
    const { chunks, chunkLength, titles, titleLength } = this.passages;
    const slot = [this.tenantId, this.slot];
    if (this.terms.size === 0 && [chunks, chunkLength, titles, titleLength].every((change) => change === 0)) return;
    const counters = [...slot, chunks, chunkLength, titles, titleLength];
    const counted = await this.transaction.query(countPassages, counters);
    if (counted.length === 0) {
      await this.transaction.query(registerSlot, slot);
      await this.transaction.query(countPassages, counters);
    }
    const changes = [...this.terms];
    await this.writeTerms(changes.filter(([, change]) => change < 0));
    await this.writeTerms(changes.filter(([, change]) => change > 0));
    this.terms.clear();
    this.passages = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
  }

  private async writeTerms(changes: [string, number][]): Promise<void> {
    for (let start = 0; start < changes.length; start += TERMS_PER_STATEMENT) {
      const batch = changes.slice(start, start + TERMS_PER_STATEMENT);
      const terms = batch.map(([term]) => term);
      const amounts = batch.map(([, change]) => Math.abs(change));
      const fewer = (batch[0]?.[1] ?? 0) < 0;
      await this.transaction.query(fewer ? subtractTerms : addTerms, [this.tenantId, this.slot, terms, amounts]);
      if (fewer) await this.transaction.query(forgetTerms, [this.tenantId, this.slot, terms]);
    }
  }
}
