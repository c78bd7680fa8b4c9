// Ranks files that exist. The index loses a deleted file only when the event of its deletion has arrived, and a deleted space only when
// all its files have been deleted one by one. Until then, no result may contain their text, and none may take the place of a file that exists.
import type { CallContext, FileFilter } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { SkippedFiles, type RankedFile } from '../text-index/skipped-files.domain.js';
import type { Ranking, RankLimits, SearchFilter } from '../text-index/indexed-text.domain.js';
import { TextIndex } from '../text-index/text-index.service.js';
import { filesIn, withOthers } from './domain/found.js';
import { ExistingFiles, type DetailedFiles } from './existing-files.adapter.js';

/** If deleted files take places of others, this many times more files are ranked. */
const GROWTH = 4;
/** The maximum number of results in one ranking with texts. */
export const RANKED_MAX = 1_000;
/** The details of more files are asked for when it is known which are shown. */
const DETAILED_MAX = 50;
/** The same of files with more metadata. */
const METADATA_BYTES_MAX = 300_000;

export interface RankingOf<File> {
  files: File[];
  /** How many files match, including those beyond the limit. */
  total: number;
  /** What the files are, if that was asked for and they are few. */
  details?: DetailedFiles['details'];
}

interface ExistingLimits extends RankLimits {
  /** Asks for the details of the files, with metadata of at most this length. */
  metadataBytesMax?: number | undefined;
}

interface WantedFiles extends Pick<ExistingLimits, 'metadataBytesMax'> {
  where?: FileFilter | undefined;
}

@Injectable()
export class RankExistingFiles {
  /** Without texts, so many files are ranked at a time to find those that were deleted. */
  sweptMax = 16_384;

  constructor(
    @Inject(TextIndex) private readonly index: Pick<TextIndex, 'best' | 'rank'>,
    @Inject(ExistingFiles) private readonly files: Pick<ExistingFiles, 'among' | 'detailed'>,
  ) {}

  /**
   * Returns the best results of files that exist, pass the filter and meet the query's clauses. Of more than 1,000 existing files, those that
   * rank below do not pass `filter.where`. Throws UNAVAILABLE without the files service.
   */
  async rank(
    context: CallContext,
    query: string,
    filter: SearchFilter,
    limits: ExistingLimits,
  ): Promise<Ranking & Pick<RankingOf<never>, 'details'>> {
    const { limit, chunksPerFile = 1, metadataBytesMax } = limits;
    const { tenantId } = context;
    const { where } = filter;
    const skipped = new SkippedFiles();
    const rank = (ranked: number) =>
      this.index.rank(tenantId, query, filter, { limit: ranked, chunksPerFile, skipped });
    const best = () => this.index.best(tenantId, query, filter, { limit: this.sweptMax, skipped });
    for (;;) {
      const { isComplete, ranking } = await this.among(context, limit, rank, { metadataBytesMax, where });
      if (!isComplete && where && chunksPerFile > 1) {
        // Long files can have all of the best chunks.
        const byFile = await this.rank(context, query, filter, { ...limits, chunksPerFile: 1 });
        return { ...byFile, files: withOthers(ranking.files, byFile.files).slice(0, limit) };
      }
      if (isComplete || !(await this.skipDeleted(context, where ? RANKED_MAX : limit, best, skipped))) return ranking;
    }
  }

  /**
   * Returns the best `limit` files that exist and pass the filter, among the best 1,000. `isComplete` is false if files beyond these can take the
   * places of others. `rank` must return at least as many files as requested, or all.
   */
  async among<File extends { fileId: string }, More>(
    context: CallContext,
    limit: number,
    rank: (ranked: number) => Promise<RankingOf<File> & More>,
    wanted: WantedFiles,
  ): Promise<{ ranking: RankingOf<File> & More; isComplete: boolean }> {
    for (let ranked = limit; ; ranked = Math.min(ranked * GROWTH, RANKED_MAX)) {
      const ranking = await rank(ranked);
      const { existing, ...details } = await this.existingOf(ranking, context, wanted);
      const isComplete = existing.length >= limit || ranking.files.length < ranked;
      if (!isComplete && ranked < RANKED_MAX) continue;
      const total = ranking.total - (filesIn(ranking.files) - filesIn(existing));
      return { ranking: { ...ranking, ...details, files: existing.slice(0, limit), total }, isComplete };
    }
  }

  /** Skips the deleted files among the best ones, until `count` exist. Returns whether there were any. */
  private async skipDeleted(
    context: CallContext,
    count: number,
    best: () => Promise<RankedFile[]>,
    skipped: SkippedFiles,
  ): Promise<boolean> {
    const files = await best();
    let existing = 0;
    let hasSkipped = false;
    for (let start = 0; start < files.length && existing < count; start += RANKED_MAX) {
      const batch = files.slice(start, start + RANKED_MAX);
      const found = await this.files.among(
        batch.map(({ fileId }) => fileId),
        context,
      );
      existing += found.size;
      for (const file of batch.filter(({ fileId }) => !found.has(fileId))) {
        skipped.add(file);
        hasSkipped = true;
      }
    }
    return hasSkipped;
  }

  private async existingOf<File extends { fileId: string }>(
    { files }: RankingOf<File>,
    context: CallContext,
    { metadataBytesMax, where }: WantedFiles,
  ): Promise<{ existing: File[]; details?: DetailedFiles['details'] }> {
    if (files.length === 0) return { existing: files };
    const ids = files.map(({ fileId }) => fileId);
    const isMuch = ids.length > DETAILED_MAX || ids.length * (metadataBytesMax ?? 0) > METADATA_BYTES_MAX;
    if (metadataBytesMax === undefined || isMuch) {
      const existing = await this.files.among(ids, context, where);
      return { existing: files.filter(({ fileId }) => existing.has(fileId)) };
    }
    const { existing, details } = await this.files.detailed(new Set(ids), metadataBytesMax, context, where);
    return { existing: files.filter(({ fileId }) => existing.has(fileId)), details };
  }
}
