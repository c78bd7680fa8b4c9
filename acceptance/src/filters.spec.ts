// The same filter in lists, searches and questions.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TEXT = 'The warranty of the Zephyr turbine is ten years.';
const QUESTION = 'How long is the warranty of the Zephyr turbine?';

describe('a filter', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `filters-${randomUUID()}`;
  const ids: string[] = [];
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
    for (const year of ['2019', '2020', 'soon']) {
      const fields = { space, metadata: JSON.stringify({ year }) };
      const { id, job_id: jobId } = bodyOf(await client.upload(`${year}.md`, `${TEXT}\n\nOf ${year}.\n`, fields), 201);
      expect((await client.waitForJob(jobId)).status).toBe('completed');
      ids.push(id);
    }
  });
  afterAll(() => system.stop());

  const of = (filter: object) => `/v1/files?space=${space}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const listed = async (filter: object) =>
    bodyOf(await client.get<{ files: { id: string }[] }>(of(filter)), 200).files.map(({ id }) => id);
  const searched = async (filter: object) => {
    const found = await client.post<{ results: { file_id: string }[] }>('/v1/search', {
      query: 'Zephyr',
      space,
      filter,
    });
    return bodyOf(found, 200).results.map(({ file_id: id }) => id);
  };
  const answered = async (filter: object) => {
    const found = await client.post<{ sources: { file_id: string }[] }>('/v1/qa', {
      question: QUESTION,
      space,
      filter,
    });
    return bodyOf(found, 200).sources.map(({ file_id: id }) => id);
  };

  it('finds the same files in lists, searches and questions', async () => {
    const [one = '', two = '', three = ''] = ids;
    for (const [filter, expected] of [
      [{ 'metadata.year': { gte: 2020 } }, [two]],
      [{ not: { 'metadata.year': { in: [2019, '2020'] } } }, [three]],
      [{ and: [{ file_id: { eq: one } }, { created_at: { gt: '2020-01-01' } }] }, [one]],
      [{ 'metadata.none': { exists: true } }, []],
    ] as const) {
      for (const find of [listed, searched, answered]) expect(await find(filter)).toStrictEqual(expected);
    }
    expect((await searched({ status: { eq: 'completed' } })).toSorted()).toStrictEqual(ids.toSorted());
  });

  it('that cannot be read is 400, and says where', async () => {
    const filter = { and: [{ title: { eq: 'x' } }] };
    const problem = /filter\.and\[0\]\.title is not a field/;
    for (const response of [
      await client.get<{ error: string }>(of(filter)),
      await client.post<{ error: string }>('/v1/search', { query: 'x', filter }),
      await client.post<{ error: string }>('/v1/qa', { question: 'x', filter }),
    ]) {
      expect([response.status, response.body.error]).toStrictEqual([400, expect.stringMatching(problem)]);
    }
    const broken = await client.get<{ error: string }>('/v1/files?filter=%7B');
    expect([broken.status, broken.body.error]).toStrictEqual([400, expect.stringMatching(/^filter must be JSON/)]);
  });

  it('does not lead out of the space of a portal', async () => {
    const other = `${space}-portal`;
    const { token } = bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space: other }), 201);
    const headers = { authorization: `PortalToken ${token}` };
    const filter = { space: { eq: space } };
    const list = await client.request<{ files: object[] }>(
      'GET',
      `/v1/portal/files?filter=${encodeURIComponent(JSON.stringify(filter))}`,
      { headers },
    );
    expect([list.status, list.body.files]).toStrictEqual([200, []]);
    const json = { query: 'Zephyr', filter };
    const search = await client.request<{ results: object[] }>('POST', '/v1/portal/search', { json, headers });
    expect([search.status, search.body.results]).toStrictEqual([200, []]);
  });
});
