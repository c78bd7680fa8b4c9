// Ranks files that exist. The index loses a deleted file only when the event of its deletion has arrived, and a deleted space only when
// all its files have been deleted one by one. Until then, no result may contain their text.
import type { CallContext, FileFilter } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import {
  TEXT_INDEX,
  type Ranking,
  type RankLimits,
  type SearchFilter,
  type TextIndex,
} from '../text-index/text-index.port.js';
import { ExistingFiles, type DetailedFiles } from './existing-files.adapter.js';

/** If deleted files take places of others, this many times more files are ranked. */
const GROWTH = 4;
/** The maximum number of files in one ranking. A recently deleted space, or files that do not pass a filter, can displace others if they are more. */
const RANKED_MAX = 1_000;
/** The details of more files are asked for when it is known which are shown. */
const DETAILED_MAX = 50;

export interface RankingOf<File> {
  files: File[];
  /** How many files match, including those beyond the limit. */
  total: number;
  /** What the files are, if that was asked for and they are few. */
  details?: DetailedFiles['details'];
}

export interface ExistingLimits extends RankLimits {
  /** Asks for the details of the files, with metadata of at most this length. */
  metadataBytesMax?: number | undefined;
}

export interface WantedFiles extends Pick<ExistingLimits, 'metadataBytesMax'> {
  where?: FileFilter | undefined;
}

@Injectable()
export class RankExistingFiles {
  constructor(
    @Inject(TEXT_INDEX) private readonly index: Pick<TextIndex, 'rank'>,
    @Inject(ExistingFiles) private readonly files: Pick<ExistingFiles, 'among' | 'detailed'>,
  ) {}

  /** Returns the best results of files that exist, pass the filter and meet the query's clauses. Throws UNAVAILABLE without the files service. */
  async rank(
    context: CallContext,
    query: string,
    filter: SearchFilter,
    limits: ExistingLimits,
  ): Promise<Ranking & Pick<RankingOf<never>, 'details'>> {
    const { limit, chunksPerFile, metadataBytesMax } = limits;
    const rank = (ranked: number) => this.index.rank(context.tenantId, query, filter, { limit: ranked, chunksPerFile });
    return this.among(context, limit, rank, { metadataBytesMax, where: filter.where });
  }

  /** Returns the best `limit` files that exist and pass the filter. `rank` must return at least as many files as requested, or all. */
  async among<File extends { fileId: string }, More>(
    context: CallContext,
    limit: number,
    rank: (ranked: number) => Promise<RankingOf<File> & More>,
    wanted: WantedFiles = {},
  ): Promise<RankingOf<File> & More> {
    for (let ranked = limit; ; ranked = Math.min(ranked * GROWTH, RANKED_MAX)) {
      const ranking = await rank(ranked);
      const { existing, ...details } = await this.existingOf(ranking, context, wanted);
      const isComplete = existing.length >= limit || ranking.files.length < ranked || ranked >= RANKED_MAX;
      const deleted = ranking.files.length - existing.length;
      if (isComplete)
        return { ...ranking, ...details, files: existing.slice(0, limit), total: ranking.total - deleted };
    }
  }

  private async existingOf<File extends { fileId: string }>(
    { files }: RankingOf<File>,
    context: CallContext,
    { metadataBytesMax, where }: WantedFiles,
  ): Promise<{ existing: File[]; details?: DetailedFiles['details'] }> {
    if (files.length === 0) return { existing: files };
    const ids = files.map(({ fileId }) => fileId);
    if (metadataBytesMax === undefined || ids.length > DETAILED_MAX) {
      const existing = await this.files.among(ids, context, where);
      return { existing: files.filter(({ fileId }) => existing.has(fileId)) };
    }
    const { existing, details } = await this.files.detailed(new Set(ids), metadataBytesMax, context, where);
    return { existing: files.filter(({ fileId }) => existing.has(fileId)), details };
  }
}
