// Real: Postgres. Faked: nothing. Random concurrent requests for a few spaces, each checked against the answers that were
// given before it began.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { conflict, encodeId, uuidOf } from '@kiln/contracts';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { wrongCounts } from '../test/wrong-counts.js';

const SPACES = ['a', 'b', 'c'];
const CLIENTS = 10;
const REQUESTS_PER_CLIENT = 120;
const FILES_PER_BATCH = 4;
const { code: CONFLICT } = conflict('');

/** The moments when a request began and was answered, as positions in the order of all these moments. */
interface Span {
  began: number;
  answered: number;
}
interface KnownFile extends Span {
  id: string;
  jobId: string;
  space: string;
  /** A request to delete it by its id was sent. */
  isDoomed: boolean;
}

const SEED = testSeed();
const random = randomNumbers(SEED);
const randomOf = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;

class World {
  readonly context = contextOf(uuidv7());
  readonly files: KnownFile[] = [];
  readonly spaceDeletions: (Span & { space: string })[] = [];
  private moment = 0;

  constructor(private readonly kiln: FilesHarness) {}

  private async timed<Result>(work: () => Promise<Result>): Promise<Span & { result: Result }> {
    const began = ++this.moment;
    const result = await work();
    return { began, answered: ++this.moment, result };
  }

  async upload(): Promise<void> {
    const input = storedFile({ space: randomOf(SPACES), size_bytes: random(1_000) });
    this.remember([input], await this.timed(() => this.kiln.registerFiles.stored(input, this.context)));
  }

  async uploadMany(): Promise<void> {
    const inputs = Array.from({ length: FILES_PER_BATCH }, () => {
      const space = randomOf(SPACES);
      return { ...directUpload({ space }), space };
    });
    const batch = { batch_id: encodeId('batch', uuidv7()), files: inputs };
    this.remember(inputs, await this.timed(() => this.kiln.registerFiles.batch(batch, this.context)));
  }

  private remember(
    inputs: { file_id: string; job_id: string | null; space: string }[],
    { began, answered }: Span,
  ): void {
    for (const { file_id: id, job_id, space } of inputs)
      this.files.push({ id, jobId: job_id ?? '', space, began, answered, isDoomed: false });
  }

  private someFiles(): KnownFile[] {
    return this.files.length === 0 ? [] : Array.from({ length: 3 }, () => randomOf(this.files));
  }

  /** The changes: files of several spaces in one statement, as batches do, and one by one, as runs do. */
  async change(): Promise<void> {
    const { tenantId } = this.context;
    const some = this.someFiles();
    await this.kiln.sql(
      `update files set status = $3, size_bytes = $4
       where tenant_id = $1 and id in (select id from files where tenant_id = $1 and id = any($2) order by id for update)`,
      [tenantId, some.map(({ id }) => uuidOf('file', id)), randomOf(['processing', 'completed', 'failed']), random(99)],
    );
    const [file] = some;
    if (!file) return;
    const run = { tenantId, fileId: uuidOf('file', file.id), jobId: uuidOf('job', file.jobId), fence: 1 + random(4) };
    await (random(2)
      ? this.kiln.fileJobs.markRetried(this.kiln.database, run)
      : this.kiln.fileJobs.markCancelled(this.kiln.database, run));
  }

  async deleteFiles(): Promise<void> {
    const doomed = this.someFiles();
    for (const file of doomed) file.isDoomed = true;
    await this.kiln.deleteFiles.many({ file_ids: doomed.map(({ id }) => id) }, this.context);
    for (const { id } of doomed) await expect(this.read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }

  async deleteSpace(): Promise<void> {
    const space = randomOf(SPACES);
    const before = this.files.filter((file) => file.space === space);
    const cascade = random(3) > 0;
    try {
      const { began, answered } = await this.timed(() =>
        this.kiln.deleteSpace.execute({ name: space, cascade }, this.context),
      );
      this.spaceDeletions.push({ space, began, answered });
    } catch (error) {
      const { code } = error as { code: string };
      if (code === 'NOT_FOUND' || (code === CONFLICT && !cascade)) return;
      throw error;
    }
    const gone = new Set(before.map(({ id }) => id));
    for (const id of await this.listed(random(2) ? space : undefined)) expect(gone).not.toContain(id);
    for (const { id } of before.slice(-2)) await expect(this.read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }

  /** Deletes files as the worker does. */
  async deleteHidden(): Promise<void> {
    await this.kiln.sql('update outbox set published_at = now() where published_at is null');
    await this.kiln.deleteFilesOfSpaces.round();
  }

  private read(id: string): Promise<unknown> {
    return this.kiln.readFiles.get({ id }, this.context);
  }

  async listed(space?: string): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const input = { sort_by: 'created_at', sort_order: 'desc', limit: 200, ...(space && { space }) } as const;
      const page = await this.kiln.readFiles.list({ ...input, ...(cursor !== null && { cursor }) }, this.context);
      ids.push(...page.files.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    return ids;
  }

  /** True or false if the answers decide it. */
  lives(file: KnownFile): boolean | undefined {
    const deletions = this.spaceDeletions.filter(({ space }) => space === file.space);
    if (deletions.some(({ began }) => began > file.answered)) return false;
    if (file.isDoomed || deletions.some(({ answered }) => answered > file.began)) return undefined;
    return true;
  }
}

describe(`spaces under concurrent requests (seed ${SEED})`, () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  it('lose no file, show no deleted file, count exactly, and refuse no request', async () => {
    const world = new World(kiln);
    const requests = [
      ...Array.from({ length: 8 }, () => () => world.upload()),
      ...Array.from({ length: 4 }, () => () => world.uploadMany()),
      ...Array.from({ length: 8 }, () => () => world.change()),
      ...Array.from({ length: 3 }, () => () => world.deleteFiles()),
      () => world.deleteSpace(),
      () => world.deleteHidden(),
    ];
    const client = async () => {
      for (let request = 0; request < REQUESTS_PER_CLIENT; request++) await randomOf(requests)();
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));

    const { tenantId } = world.context;
    expect(await wrongCounts(kiln, tenantId)).toStrictEqual([]);
    const listed = new Set(await world.listed());
    let certain = 0;
    const wrong: (typeof world.files)[number][] = [];
    for (const file of world.files) {
      const lives = world.lives(file);
      if (lives === undefined) continue;
      certain++;
      if (listed.has(file.id) !== lives) wrong.push(file);
    }
    expect(wrong).toStrictEqual([]);
    // Without both, the test would prove nothing.
    expect(certain).toBeGreaterThan(0);
    expect(world.spaceDeletions.length).toBeGreaterThan(0);

    while ((await kiln.sql('select 1 from deleted_spaces')).length > 0) await world.deleteHidden();
    const rows = await kiln.sql<{ id: string }>('select id from files where tenant_id = $1', [tenantId]);
    // Nothing else is left.
    expect(new Set(rows.map(({ id }) => encodeId('file', id)))).toStrictEqual(listed);
    expect(await wrongCounts(kiln, tenantId)).toStrictEqual([]);
    const { spaces } = await kiln.readSpaces.list({}, world.context);
    expect(spaces.reduce((sum, { file_count }) => sum + file_count, 0)).toBe(listed.size);
  });
});
