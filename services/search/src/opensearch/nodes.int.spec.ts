// Real: three nodes of OpenSearch, Postgres, the object store. Faked: the files service. It is skipped where OpenSearch is not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { Client } from '@opensearch-project/opensearch';
import { randomUUID } from 'node:crypto';
import { openSearchMissing, startOpenSearch, type OpenSearchNodes } from '../test/opensearch-nodes.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const missing = await openSearchMissing();
/** So many tenants are on all shards. */
const TENANTS = 12;

(missing === null ? describe : describe.skip)(`a node of OpenSearch that ends${missing ? ` (${missing})` : ''}`, () => {
  let nodes: OpenSearchNodes;
  let client: Client;
  const opened: SearchHarness[] = [];
  beforeAll(async () => {
    nodes = await startOpenSearch(3);
    client = new Client({ node: nodes.urls[0] ?? '' });
  });
  afterAll(async () => {
    await client.close();
    for (const kiln of opened) await kiln.close();
    await nodes.stop();
  });

  async function open(replicas: number) {
    const kiln = await startSearch({ openSearch: nodes.urls, replicas });
    opened.push(kiln);
    const tenants = Array.from({ length: TENANTS }, () => randomUUID());
    for (const tenantId of tenants) {
      await kiln.index({ tenantId, chunks: ['narwhal'] });
      await kiln.merge(tenantId);
    }
    await eventually(async () => (await statusOf()) === 'green');
    return { kiln, tenants };
  }
  const statusOf = async () => (await client.cluster.health()).body.status;
  const outcomes = (kiln: SearchHarness, tenants: readonly string[]) =>
    Promise.all(
      tenants.map((tenantId) =>
        kiln.search(tenantId, 'narwhal').then(
          ({ total }) => total,
          (error: { code?: string }) => error.code,
        ),
      ),
    );

  it('loses no results with a copy of each shard, and writes continue', async () => {
    const { kiln, tenants } = await open(1);
    await nodes.closeNode(2);
    const all = tenants.map(() => 1);
    await eventually(async () => JSON.stringify(await outcomes(kiln, tenants)) === JSON.stringify(all));
    for (const tenantId of tenants) await kiln.index({ tenantId, chunks: ['narwhal'] });
    await eventually(async () => {
      for (const tenantId of tenants) await kiln.merge(tenantId);
      const [row] = await kiln.database.query<{ tails: number }>(
        { name: 'test.tails', text: 'select count(*)::int as tails from tail_parts' },
        [],
      );
      return row?.tails === 0;
    });
    expect(await outcomes(kiln, tenants)).toStrictEqual(tenants.map(() => 2));
    expect(await statusOf()).toBe('yellow');
    await nodes.openNode(2);
    await eventually(async () => (await statusOf()) === 'green');
  });

  it('without a copy, searches of its tenants fail with UNAVAILABLE and never lack results, and others work', async () => {
    const { kiln, tenants } = await open(0);
    const { body: shards } = await client.cat.shards({ format: 'json' });
    expect(shards.length).toBeGreaterThan(0);
    for (const number of [1, 2]) {
      await nodes.closeNode(number);
      await eventually(async () => {
        const found = await outcomes(kiln, tenants);
        expect(found.filter((outcome) => outcome !== 1 && outcome !== 'UNAVAILABLE')).toStrictEqual([]);
        return (await client.cluster.health()).body.number_of_nodes === 2;
      });
      await nodes.openNode(number);
      await eventually(async () => (await statusOf()) === 'green');
      await eventually(async () => (await outcomes(kiln, tenants)).every((outcome) => outcome === 1));
    }
  });
});
