import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { folderNode, fileNode } from './listed-nodes.domain.js';
import { newIds, columnsOf } from './node-columns.domain.js';

describe('new ids', () => {
  it('are UUIDs of version 7, ascending and different', () => {
    const ids = newIds(2_000);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids.toSorted()).toStrictEqual(ids);
    expect(new Set(ids).size).toBe(2_000);
  });

  it('differ from those of the same millisecond', () => {
    expect(new Set([...newIds(1_000), ...newIds(1_000), ...newIds(1_000)]).size).toBe(3_000);
  });
});

describe('the columns of nodes', () => {
  const file = (key: string) => fileNode({ key, sizeBytes: 1, etag: 'a', lastModified: new Date(0) }, '');

  it('are in the order of paths, with the same folder id in each page', () => {
    const connectionId = '01900000-0000-7000-8000-000000000000';
    const pageOf = (...keys: string[]) => columnsOf(connectionId, [folderNode('a/', ''), ...keys.map(file)], new Map());
    const [one, two] = [pageOf('a/2', 'a/1', '3'), pageOf('a/4')];
    expect(one.stored[4]).toStrictEqual(['3', 'a/', 'a/1', 'a/2']);
    expect(one.stored[1]).toStrictEqual([connectionId, connectionId, one.stored[0]?.[1], one.stored[0]?.[1]]);
    expect(two.stored[0]?.[0]).toBe(one.stored[0]?.[1]);
  });

  it('name the rule that excludes a file, and never one for a folder', () => {
    const columns = columnsOf(
      'c',
      [folderNode('a/', ''), file('a/1')],
      new Map([
        ['a/1', 'exclude'],
        ['a/', 'exclude'],
      ]),
    );
    expect(columns.excludedBy).toStrictEqual([null, 'exclude']);
  });
});
