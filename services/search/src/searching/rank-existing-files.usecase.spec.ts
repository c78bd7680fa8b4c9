import { expect, it } from '@jest/globals';
import { MESSAGE_BYTES_MAX, type CallContext } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import type { RankedChunk, Ranking } from '../text-index/indexed-text.domain.js';
import type { DetailedFiles } from './existing-files.adapter.js';
import { RankExistingFiles } from './rank-existing-files.usecase.js';

it('never asks for more metadata than a message can hold, however many files have to be compared', async () => {
  const all = Array.from({ length: 200 }, (_, at) => ({ fileId: randomUUID(), chunk: 0, score: 1 / (at + 1) }));
  const existing = new Set<string>(all.slice(60).map(({ fileId }) => fileId));
  const among = (ids: Iterable<string>) => new Set([...ids].filter((id) => existing.has(id)));
  const asked: number[] = [];
  const ranking = new RankExistingFiles(
    {
      rank: async (_tenantId, _query, _filter, { limit }) =>
        ({ files: all.slice(0, limit) as RankedChunk[], total: all.length }) as Ranking,
      best: async () => [],
    },
    {
      among: async (ids) => among(ids),
      detailed: async (ids, metadataBytesMax): Promise<DetailedFiles> => {
        asked.push(ids.size * metadataBytesMax);
        return { existing: among(ids), details: new Map() };
      },
    },
  );
  const context = { tenantId: randomUUID() } as CallContext;
  const { files } = await ranking.rank(context, 'x', {}, { limit: 2, metadataBytesMax: 65_536 });
  expect(files.map(({ fileId }) => fileId)).toStrictEqual(all.slice(60, 62).map(({ fileId }) => fileId));
  expect(Math.max(...asked)).toBeLessThan(MESSAGE_BYTES_MAX / 2);
});
