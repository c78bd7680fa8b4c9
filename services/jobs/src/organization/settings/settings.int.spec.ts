// Real: Postgres. FAKED: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { chunkingOf } from '../../runs/steps/chunks.service.js';
import { settingsOf } from './settings.domain.js';
import { jobRequest, startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { OrganizationSettingsEntity } from './organization-settings.entity.js';
import { RoutingRuleStore } from './routing-rule.store.js';
import { SettingsStore } from './settings.store.js';

const chunking = { strategy: 'sentence' as const, chunk_size: 500, chunk_overlap: 0 };

describe('settings of an organization', () => {
  let kiln: JobsHarness;
  let settings: SettingsStore;
  let rules: RoutingRuleStore;
  let live: string;
  let test: string;
  beforeAll(async () => {
    kiln = await startJobs();
    settings = new SettingsStore(kiln.database.dataSource.getRepository(OrganizationSettingsEntity));
    rules = new RoutingRuleStore(kiln.database, kiln.database.dataSource.getRepository(OrganizationSettingsEntity));
  });
  beforeEach(() => {
    live = uuidv7();
    test = testTenantOf(live);
  });
  afterAll(() => kiln.close());

  const madeWith = async (tenantId: string, jobId: string) => {
    const { processing, provider } = await kiln.stored(tenantId, jobId);
    return { processing, provider };
  };

  it('have the defaults of the specification until they are set, and change field by field, even concurrently', async () => {
    expect(settingsOf(await settings.find(live), 'small')).toStrictEqual({
      default_embedding_model: 'small',
      default_chunking: { strategy: 'recursive', chunk_size: 1000, chunk_overlap: 200 },
      default_variants: ['markdown', 'embeddings', 'metadata', 'searchable-index'],
      search_language: 'english',
      answer_instructions: null,
    });
    await Promise.all([
      settings.change(live, { default_embedding_model: 'large' }),
      settings.change(live, { default_chunking: chunking }),
      settings.change(live, { default_variants: ['markdown'] }),
      settings.change(live, { search_language: 'auto' }),
      settings.change(live, { answer_instructions: 'Be brief.' }),
      rules.replace(live, [{ content_type: 'text/*', provider: 'image_extractor' }]),
    ]);
    const all = {
      default_embedding_model: 'large',
      default_chunking: chunking,
      default_variants: ['markdown'],
      search_language: 'auto',
      answer_instructions: 'Be brief.',
    };
    expect(settingsOf(await settings.find(live), 'small')).toStrictEqual(all);
    expect(settingsOf(await settings.change(live, {}), 'small')).toStrictEqual(all);
    expect(await rules.find(live)).toHaveLength(1);
  });

  it('fill what a request leaves open, in both modes, and stay with the job when they change', async () => {
    await settings.change(live, { default_embedding_model: 'large', default_chunking: chunking });
    const jobs = [
      { tenant: live, id: await kiln.add(live), processing: { embedding_model: 'large', default_chunking: chunking } },
      { tenant: test, id: await kiln.add(test), processing: { embedding_model: 'large', default_chunking: chunking } },
      {
        tenant: live,
        id: await kiln.add(live, { processing: { embedding_model: 'own' } }),
        processing: { embedding_model: 'own', default_chunking: chunking },
      },
      {
        tenant: live,
        id: await kiln.add(live, { processing: { variants: ['metadata'] } }),
        processing: { embedding_model: 'large', default_chunking: chunking, variants: ['metadata'] },
      },
      { tenant: uuidv7(), id: '', processing: {} },
    ];
    const last = jobs.at(-1);
    if (!last) throw new Error('no last');
    last.id = await kiln.add(last.tenant);
    await settings.change(live, { default_embedding_model: 'newer' });
    for (const { tenant, id, processing } of jobs) {
      expect((await madeWith(tenant, id)).processing).toStrictEqual(processing);
    }
  });

  it('complete a partial chunking field by field, as they were when the job was created', async () => {
    await settings.change(live, { default_chunking: { strategy: 'sentence', chunk_size: 500, chunk_overlap: 100 } });
    const requested = [
      { chunking: { chunk_size: 150 } },
      { chunking: { chunk_overlap: 400 } },
      { chunking: { strategy: 'fixed' as const } },
      {},
    ];
    const jobs = await Promise.all(requested.map((processing) => kiln.add(live, { processing })));
    await settings.change(live, { default_chunking: chunking });
    const used = await Promise.all(
      jobs.map(async (id) => Object.values(chunkingOf({ processing: (await madeWith(live, id)).processing }))),
    );
    expect(used).toStrictEqual([
      ['sentence', 150, 75],
      ['sentence', 800, 400],
      ['fixed', 500, 100],
      ['sentence', 500, 100],
    ]);
    const other = uuidv7();
    const { processing } = await madeWith(
      other,
      await kiln.add(other, { processing: { chunking: { chunk_size: 300 } } }),
    );
    expect(chunkingOf({ processing })).toStrictEqual({ strategy: 'recursive', chunk_size: 300, chunk_overlap: 150 });
  });

  it("a job's provider is the request's own, else by the rules, else by the default table, also once its bytes have arrived", async () => {
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
    expect(await providerOf({})).toBe('image_extractor');
    expect((await madeWith(live, await kiln.add(live))).provider).toBe('image_extractor');
    expect(await providerOf({ content_type: 'application/pdf' })).toBe('document_extractor');
    expect(await providerOf({ processing: { provider: 'audio_extractor' } })).toBe('audio_extractor');
  });
});
