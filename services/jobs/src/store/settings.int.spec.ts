// Real: Postgres. FAKED: nothing.
import { chunkingSchema, testTenantOf } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { settingsOf } from '../domain/settings.js';
import { jobRequest, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { RoutingRuleStore } from './routing-rule.store.js';
import { SettingsStore } from './settings.store.js';

const chunking = { strategy: 'sentence' as const, chunk_size: 500, chunk_overlap: 0 };

describe('settings of an organization', () => {
  let kiln: JobsHarness;
  let settings: SettingsStore;
  let rules: RoutingRuleStore;
  let live: string;
  let test: string;
  before(async () => {
    kiln = await startJobs();
    settings = new SettingsStore(kiln.database);
    rules = new RoutingRuleStore(kiln.database);
  });
  beforeEach(() => {
    live = uuidv7();
    test = testTenantOf(live);
  });
  after(() => kiln.close());

  const madeWith = async (tenantId: string, jobId: string) => {
    const { processing, provider } = await kiln.stored(tenantId, jobId);
    return { processing, provider };
  };

  it('are those of the specification until they are set, and change field by field, also when set at the same time', async () => {
    assert.deepEqual(settingsOf(await settings.find(live), 'small'), {
      default_embedding_model: 'small',
      default_chunking: { strategy: 'recursive', chunk_size: 1000, chunk_overlap: 200 },
      default_variants: ['markdown', 'embeddings', 'metadata', 'searchable-index'],
    });
    await Promise.all([
      settings.change(live, { default_embedding_model: 'large' }),
      settings.change(live, { default_chunking: chunking }),
      settings.change(live, { default_variants: ['markdown'] }),
      rules.replace(live, [{ content_type: 'text/*', provider: 'image_extractor' }]),
    ]);
    const all = { default_embedding_model: 'large', default_chunking: chunking, default_variants: ['markdown'] };
    assert.deepEqual({ ...(await settings.find(live)) }, all);
    assert.deepEqual({ ...(await settings.change(live, {})) }, all);
    assert.equal((await rules.find(live)).length, 1);
  });

  it('fill what the request for a job leaves open, on both planes, and stay with the job when they change', async () => {
    await settings.change(live, { default_embedding_model: 'large', default_chunking: chunking });
    const jobs = [
      { tenant: live, id: await kiln.add(live), processing: { embedding_model: 'large', chunking } },
      { tenant: test, id: await kiln.add(test), processing: { embedding_model: 'large', chunking } },
      {
        tenant: live,
        id: await kiln.add(live, { processing: { embedding_model: 'own', chunking: chunkingSchema.parse({}) } }),
        processing: { embedding_model: 'own', chunking: chunkingSchema.parse({}) },
      },
      {
        tenant: live,
        id: await kiln.add(live, { processing: { variants: ['metadata'] } }),
        processing: { embedding_model: 'large', chunking, variants: ['metadata'] },
      },
      { tenant: uuidv7(), id: '', processing: {} },
    ];
    const last = jobs.at(-1);
    assert.ok(last);
    last.id = await kiln.add(last.tenant);
    await settings.change(live, { default_embedding_model: 'newer' });
    for (const { tenant, id, processing } of jobs) {
      assert.deepEqual((await madeWith(tenant, id)).processing, processing);
    }
  });

  it("a job's provider is the request's own, else by the rules, else by the default table, also once its bytes have come", async () => {
    await rules.replace(live, [{ content_type: 'text/*', provider: 'image_extractor' }]);
    const upsert = (request: ReturnType<typeof jobRequest>) =>
      kiln.database.transaction((transaction) =>
        kiln.jobBatches.upsert(transaction, live, [{ request, provider: 'document_extractor' }]),
      );
    const providerOf = async (overrides: Parameters<typeof jobRequest>[1]) => {
      const id = uuidv7();
      const request = jobRequest(id, overrides);
      await upsert({ ...request, content_type: null, ready: false });
      await upsert(request);
      return (await madeWith(live, id)).provider;
    };
    assert.equal(await providerOf({}), 'image_extractor');
    assert.equal((await madeWith(live, await kiln.add(live))).provider, 'image_extractor');
    assert.equal(await providerOf({ content_type: 'application/pdf' }), 'document_extractor');
    assert.equal(await providerOf({ processing: { provider: 'audio_extractor' } }), 'audio_extractor');
  });

  it('cost a new job look-ups by key alone', async () => {
    const tenants = Array.from({ length: 5_000 }, () => uuidv7());
    await kiln.sql('insert into organization_settings (tenant_id) select unnest($1::uuid[])', [tenants]);
    await kiln.sql('analyze organization_settings');
    const sent: { text: string; values: unknown[] | undefined }[] = [];
    const recording: Queryable = {
      query: (statement, values) => {
        sent.push({ text: statement.text, values });
        return kiln.database.query(statement, values);
      },
    };
    const request = jobRequest(uuidv7());
    await kiln.jobBatches.upsert(recording, live, [{ request, provider: 'document_extractor' }]);
    assert.equal(sent.length, 1, 'one makes the job and puts its tenant in line');
    const [insert] = sent;
    assert.ok(insert);
    const lines = await kiln.sql<{ 'QUERY PLAN': string }>(`explain (analyze) ${insert.text}`, insert.values);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, /Index (Only )?Scan using organization_settings_pkey/);
    assert.doesNotMatch(plan, /Seq Scan on organization_settings/);
  });
});
