import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MATCHED_FILES_MAX } from '../search/matches.js';
import { MESSAGE_BYTES_MAX } from './context.js';
import { joinPackedIds, packedIdsSchema, packedLength, packIds, unpackIds } from './packed-ids.js';

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('packed ids', () => {
  it('are the ids that were packed, in their order', () => {
    for (const count of [0, 1, 2, 3, 100]) {
      const ids = idsOf(count);
      const packed = packIds(ids);
      expect(unpackIds(packedIdsSchema(count).parse(packed))).toStrictEqual(ids);
      expect(packed).toHaveLength(packedLength(count));
    }
  });

  it('can be joined', () => {
    for (const [left, right] of [
      [0, 0],
      [0, 2],
      [1, 0],
      [1, 1],
      [2, 3],
    ] as const) {
      const ids = [idsOf(left), idsOf(right)] as const;
      expect(unpackIds(joinPackedIds(packIds(ids[0]), packIds(ids[1])))).toStrictEqual(ids.flat());
    }
  });

  it('are refused when they are too many, no whole ids, or no base64', () => {
    const schema = packedIdsSchema(2);
    for (const packed of [packIds(idsOf(3)), 'AAAA', '-_-_'.repeat(8), `${packIds(idsOf(1))} `])
      expect(schema.safeParse(packed).success).toBe(false);
  });

  it('of all files that one answer can name fit into a message', () => {
    expect(packedLength(MATCHED_FILES_MAX)).toBeLessThan(MESSAGE_BYTES_MAX);
  });
});
