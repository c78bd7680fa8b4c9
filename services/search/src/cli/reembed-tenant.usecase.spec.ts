import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  filesOperations,
  searchOperations,
  unavailable,
  badRequest,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { readWords } from './arguments.command.js';
import { OperatorCalls } from './operator-calls.usecase.js';
import { reembedTenant, type ReembedOptions, type ReembedProgress } from './reembed-tenant.usecase.js';

const TENANT = uuidv7();
const FILES = Array.from({ length: 450 }, () => encodeId('file', uuidv7())).toSorted();

describe('kiln search reembed', () => {
  let calls: { operation: Operation; ids: string[]; model: string | null }[];
  let failing: Set<string>;
  /** Thrown by the next calls of the search service. */
  let faults: Error[];
  let waits: number[];
  beforeEach(() => {
    [calls, failing, faults, waits] = [[], new Set(), [], []];
  });

  const call = async (operation: Operation, input: never, { tenantId, principal }: CallContext): Promise<unknown> => {
    expect([tenantId, principal]).toStrictEqual([TENANT, 'operator']);
    if (operation === filesOperations.listIndexedFiles) {
      const { after, limit } = input as { after: string | null; limit: number };
      return { file_ids: FILES.filter((id) => id > (after ?? '')).slice(0, limit) };
    }
    const fault = faults.shift();
    if (fault) throw fault;
    const { file_ids: ids, model } = input as { file_ids: string[]; model: string | null };
    calls.push({ operation, ids, model });
    if (operation === searchOperations.switchVectors)
      return { files: ids.map((id) => ({ file_id: id, outcome: 'switched' })) };
    const outcomeOf = (id: string) => (failing.has(id) ? 'failed' : 'staged');
    return { model: 'new', files: ids.map((id) => ({ file_id: id, outcome: outcomeOf(id), problem: null })) };
  };
  const ofTenant = new OperatorCalls({ call: call as never }, TENANT);
  const run = async (options: Partial<ReembedOptions> = {}) => {
    const all: ReembedProgress[] = [];
    const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
    for await (const progress of reembedTenant(ofTenant, { model: null, isPartial: false, wait, ...options }))
      all.push(progress);
    return all;
  };
  const idsOf = (operation: Operation) =>
    calls
      .filter((made) => made.operation === operation)
      .flatMap(({ ids }) => ids)
      .toSorted();

  it('embeds every file before it switches to the first, and shows how far it is', async () => {
    const shown = await run();
    expect(idsOf(searchOperations.stageVectors)).toStrictEqual(FILES);
    expect(idsOf(searchOperations.switchVectors)).toStrictEqual(FILES);
    const first = calls.findIndex(({ operation }) => operation === searchOperations.switchVectors);
    expect(calls.slice(first).every(({ operation }) => operation === searchOperations.switchVectors)).toBe(true);
    expect(shown.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toStrictEqual([
      'embed 200/450',
      'embed 400/450',
      'embed 450/450',
      'switch 200/450',
      'switch 400/450',
      'switch 450/450',
    ]);
  });

  it('switches to the model that was used, also when the settings name it', async () => {
    await run();
    const models = calls
      .filter(({ operation }) => operation === searchOperations.switchVectors)
      .map(({ model }) => model);
    expect(new Set(models)).toStrictEqual(new Set(['new']));
  });

  it('changes nothing if a file cannot be embedded, unless the operator accepts that', async () => {
    failing.add(FILES[3] ?? '');
    const shown = await run();
    expect(shown.flatMap(({ failed }) => failed.map(({ file_id: id }) => id))).toStrictEqual([FILES[3]]);
    expect(idsOf(searchOperations.switchVectors)).toStrictEqual([]);
    await run({ isPartial: true });
    expect(idsOf(searchOperations.switchVectors)).toStrictEqual(FILES);
  });

  it('repeats a call while the provider is away, and not one that has to be corrected', async () => {
    faults = [unavailable('The provider of embeddings'), unavailable('The provider of embeddings')];
    await run();
    expect([waits.length, idsOf(searchOperations.stageVectors).length]).toStrictEqual([2, FILES.length]);
    faults = [badRequest('The model is not offered.')];
    await expect(run()).rejects.toThrow('not offered');
  });

  it('reads its words', () => {
    expect(readWords(['reembed', '--tenant', TENANT, '--model', 'new', '--partial'])).toStrictEqual({
      verb: 'reembed',
      tenant: [TENANT],
      model: 'new',
      partial: true,
    });
    expect(readWords(['reembed', '--tenant', TENANT])).toMatchObject({ model: null, partial: false });
    expect(() => readWords(['reembed'])).toThrow(/^--tenant must be given/);
    expect(() => readWords(['reembed', '--tenant', TENANT, '--model', ''])).toThrow(/--model/);
  });
});
