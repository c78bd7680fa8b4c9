// Real: Postgres, NATS, the object store. Faked: the files and search services, as responders on the bus (see test/run-harness.ts).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, type SearchLanguage } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../../test/run-harness.js';

const GERMAN =
  'Die Öfen brennen den Ton bei tausend Grad und halten die Wärme über viele Stunden. Dann kühlen sie langsam ab.';

describe('the text that a run indexes', () => {
  let kiln: JobsHarness;
  const opened: RunHarness[] = [];
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runs) => runs.close()));
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  async function indexedLanguage(setting: SearchLanguage, text: string): Promise<string | undefined> {
    const runs = await startRuns(kiln, { policy: { searchLanguage: () => Promise.resolve(setting) } });
    opened.push(runs);
    await kiln.add(uuidv7());
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), text, { contentType: 'text/markdown' });
    await runs.run(job);
    return runs.indexed[0]?.language;
  }

  it('has the language of the organization, or its own if the organization leaves it to the file', async () => {
    expect(await indexedLanguage('english', GERMAN)).toBe('english');
    expect(await indexedLanguage('swedish', GERMAN)).toBe('swedish');
    expect(await indexedLanguage('auto', GERMAN)).toBe('german');
    expect(await indexedLanguage('auto', 'Ofen')).toBe('none');
  });
});
