import { describe, expect, it } from '@jest/globals';
import { fileNode, folderNode } from '../../nodes/listed-nodes.domain.js';
import { digestOf } from './node-digest.js';

const listed = { key: 'a/1', sizeBytes: 1, etag: 'e', lastModified: new Date(5) };
const digest = (change: Partial<typeof listed> & { archivedIn?: string }, rule?: 'exclude') =>
  digestOf([fileNode({ ...listed, ...change }, '')], new Map(rule && [['a/1', rule]]));

describe('the digest of nodes', () => {
  it('differs for each property that a sync compares', () => {
    const others = [
      digest({ key: 'a/2' }),
      digest({ sizeBytes: 2 }),
      digest({ etag: 'f' }),
      digest({ lastModified: new Date(6) }),
      digest({ archivedIn: 'GLACIER' }),
      digest({}, 'exclude'),
      digestOf([], new Map()),
    ];
    expect(new Set([digest({}), ...others]).size).toBe(others.length + 1);
  });

  it('differs for values that are equal one after the other', () => {
    expect(digest({ key: 'a', etag: 'bc' })).not.toBe(digest({ key: 'ab', etag: 'c' }));
    expect(digest({ sizeBytes: 12, etag: '3' })).not.toBe(digest({ sizeBytes: 1, etag: '23' }));
  });

  it('is that of any order', () => {
    const nodes = [folderNode('b/', ''), fileNode(listed, ''), fileNode({ ...listed, key: '\u{1f600}' }, '')];
    expect(digestOf(nodes.toReversed(), new Map())).toBe(digestOf(nodes, new Map()));
  });
});
