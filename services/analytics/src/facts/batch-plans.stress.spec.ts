// Real: Postgres. Faked: nothing. The statements are planned while the tables are empty, as in a new installation, and run when they are not.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Transaction } from '@kiln/platform';
import { allSentBy, QueryPlans } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startAnalytics, type AnalyticsHarness } from '../test/analytics-harness.js';
import { recordFiles, type FileFact } from './file-fact.store.js';
import { recordOutcomes, type JobOutcome } from './job-outcome.store.js';
import { RecordFacts } from './record-facts.usecase.js';

const FACTS = 2_000;
const TENANTS = Array.from({ length: 20 }, () => uuidv7());

const files = Array.from({ length: FACTS }, (_, index): FileFact => ({
  tenant_id: TENANTS[index % TENANTS.length] ?? '',
  file_id: uuidv7(),
  version: 1,
  status: 'processing',
  space: 'default',
  content_type: 'text/plain',
  size_bytes: index,
  jobs: 1,
  variants: 0,
  created_at: new Date().toISOString(),
  deleted_at: null,
}));
const outcomes = files.map(({ tenant_id, file_id, created_at }, index): JobOutcome => ({
  tenant_id,
  file_id,
  job_id: uuidv7(),
  fence: 1,
  status: 'failed',
  ended_at: created_at,
  provider: 'document_extractor',
  duration_ms: null,
  reason: 'timeout',
  message: `run ${index}`,
  filename: 'a.txt',
}));

const sentTo = (record: (transaction: Transaction) => Promise<void>) =>
  allSentBy((recorder) => record(recorder as Transaction));

describe('a batch of 2,000 facts', () => {
  let kiln: AnalyticsHarness;
  let plans: QueryPlans;
  const noFacts = { ...files[0], deleted_at: new Date(0).toISOString(), status: null } as FileFact;
  beforeAll(async () => {
    kiln = await startAnalytics();
    plans = await QueryPlans.open(kiln.database);
    const all = [
      ...(await sentTo((on) => recordFiles(on, [noFacts]))),
      ...(await sentTo((on) => recordOutcomes(on, outcomes.slice(0, 1)))),
    ];
    for (const statement of all) await plans.plan(statement, statement.values);
    const facts = new RecordFacts(kiln.database);
    await facts.files(files);
    await facts.outcomes(outcomes);
  });
  afterAll(async () => {
    await plans.close();
    await kiln.close();
  });

  it.each<[string, (transaction: Transaction) => Promise<void>]>([
    [
      'new files',
      (on) =>
        recordFiles(
          on,
          files.map((file) => ({ ...file, file_id: uuidv7() })),
        ),
    ],
    ['files that are known', (on) => recordFiles(on, files)],
    [
      'new states of files',
      (on) =>
        recordFiles(
          on,
          files.map((file) => ({ ...file, version: 2, status: 'completed' })),
        ),
    ],
    [
      'deleted files',
      (on) =>
        recordFiles(
          on,
          files.map((file) => ({ ...file, status: null, deleted_at: file.created_at })),
        ),
    ],
    [
      'new outcomes',
      (on) =>
        recordOutcomes(
          on,
          outcomes.map((outcome) => ({ ...outcome, job_id: uuidv7() })),
        ),
    ],
    ['outcomes that are known', (on) => recordOutcomes(on, outcomes)],
    [
      'newer outcomes of known jobs',
      (on) =>
        recordOutcomes(
          on,
          outcomes.map((outcome) => ({ ...outcome, fence: 2 })),
        ),
    ],
  ])('of %s takes steps of a few rows for each fact', async (_, record) => {
    for (const statement of await sentTo(record)) {
      expect(await plans.largestStep(statement, statement.values)).toBeLessThanOrEqual(3 * FACTS);
    }
  });
});
