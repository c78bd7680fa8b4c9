import { describe, expect, it } from '@jest/globals';
import { encodeId, filesOperations, searchOperations, type CallContext, type Operation } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { OperatorCalls } from './operator-calls.usecase.js';
import { rebuildFiles, rebuildTenant } from './rebuild-tenant.usecase.js';
import { readWords } from './arguments.command.js';

const TENANT = uuidv7();
const FILES = Array.from({ length: 450 }, () => encodeId('file', uuidv7())).toSorted();

/** A files service with these files, and a search service that rebuilds them. */
function services() {
  const rebuilt: string[] = [];
  const chosen: unknown[] = [];
  let inFlight = 0;
  let inFlightMax = 0;
  const call = async (operation: Operation, input: never, { tenantId, principal }: CallContext): Promise<unknown> => {
    expect([tenantId, principal]).toStrictEqual([TENANT, 'operator']);
    if (operation === filesOperations.listIndexedFiles) {
      const { after, limit } = input as { after: string | null; limit: number };
      return { file_ids: FILES.filter((id) => id > (after ?? '')).slice(0, limit) };
    }
    if (operation === searchOperations.chooseTextStore) {
      chosen.push(input);
      return {};
    }
    expect(operation).toBe(searchOperations.rebuildFiles);
    inFlightMax = Math.max(inFlightMax, ++inFlight);
    await Promise.resolve();
    inFlight--;
    const { file_ids: ids } = input as { file_ids: string[] };
    rebuilt.push(...ids);
    return { files: ids.map((id) => ({ file_id: id, outcome: 'rebuilt', problem: null })) };
  };
  return {
    calls: new OperatorCalls({ call: call as never }, TENANT),
    rebuilt,
    chosen,
    inFlightMax: () => inFlightMax,
  };
}

describe('kiln search rebuild', () => {
  it('rebuilds each file of a tenant once, a few calls at a time', async () => {
    const { calls, rebuilt, inFlightMax } = services();
    const pages = [];
    for await (const page of rebuildTenant(calls, null)) pages.push(page);
    expect(rebuilt.toSorted()).toStrictEqual(FILES);
    expect(pages.flatMap(({ files }) => files.map(({ file_id: id }) => id))).toStrictEqual(FILES);
    expect(pages.map(({ last }) => last)).toStrictEqual([FILES[199], FILES[399], FILES[449]]);
    expect([inFlightMax() > 1, inFlightMax() <= 4]).toStrictEqual([true, true]);
  });

  it('continues after a file, and rebuilds files that are named', async () => {
    const { calls, rebuilt } = services();
    for await (const page of rebuildTenant(calls, FILES[399] ?? null)) expect(page.files).toHaveLength(50);
    expect(rebuilt.toSorted()).toStrictEqual(FILES.slice(400));
    const named = await rebuildFiles(calls, FILES.slice(0, 25));
    expect(named.map(({ file_id: id }) => id)).toStrictEqual(FILES.slice(0, 25));
  });

  it('calls an operation for the tenant, as the operator', async () => {
    const { calls, chosen } = services();
    await calls.call(searchOperations.chooseTextStore, { store: 'opensearch' });
    expect(chosen).toStrictEqual([{ store: 'opensearch' }]);
  });

  it('requires tenants, and explains words that make no sense', () => {
    const file = FILES[0] ?? '';
    expect(readWords(['rebuild', '--tenant', TENANT, '--after', file])).toStrictEqual({
      verb: 'rebuild',
      tenant: [TENANT],
      file: [],
      after: file,
      to: null,
    });
    const wrong: [string[], RegExp][] = [
      [[], /^usage/],
      [['drop'], /^usage/],
      [['rebuild'], /^--tenant must be given, or --org, or --all\n\nusage/],
      [['rebuild', '--tenant', 'x'], /^--tenant\[0\] must be/],
      [['rebuild', '--tenant', TENANT, '--file', 'x'], /^--file\[0\] must be/],
      [['rebuild', '--tenant', TENANT, '--file', file, '--after', file], /^--after cannot be used with --file/],
      [['rebuild', '--tenant', TENANT, '--file', file, '--to', 'postgres'], /^--to cannot be used with --file/],
      [['rebuild', '--tenant', TENANT, '--to', 'disk'], /^--to /],
      [['rebuild', '--unknown'], /'--unknown'/],
    ];
    for (const [words, message] of wrong) expect(() => readWords(words)).toThrow(message);
  });
});
