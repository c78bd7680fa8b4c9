// `kiln search`: rebuilds or embeds the index again, for the operator. Reads NATS_URL.
import { searchOperations, type RebuiltFile } from '@kiln/contracts';
import { connectBus, createLogger, RpcClient, startOrExit } from '@kiln/platform';
import { loadCliConfig } from './cli.config.js';
import { OperatorCalls } from './operator-calls.usecase.js';
import { rebuildFiles, rebuildTenant } from './rebuild-tenant.usecase.js';
import { readWords, type RebuildWords, type ReembedWords } from './arguments.command.js';
import { reembedTenant } from './reembed-tenant.usecase.js';

const print = (line: string) => process.stdout.write(`${line}\n`);

class Counts {
  private readonly counts = { rebuilt: 0, superseded: 0, gone: 0, failed: 0 };

  add(files: readonly RebuiltFile[]): void {
    for (const { file_id: fileId, outcome, problem } of files) {
      this.counts[outcome]++;
      if (outcome === 'failed') print(`${fileId} was not rebuilt: ${problem}`);
    }
  }

  get hasFailed(): boolean {
    return this.counts.failed > 0;
  }

  get summary(): string {
    const { rebuilt, superseded, gone, failed } = this.counts;
    return `${rebuilt} rebuilt, ${superseded} indexed anew meanwhile, ${gone} deleted or not indexed, ${failed} failed`;
  }
}

async function rebuild(rpc: RpcClient, { tenant: tenants, file: fileIds, after, to }: RebuildWords): Promise<void> {
  const counts = new Counts();
  for (const [position, tenantId] of tenants.entries()) {
    let last = position === 0 ? after : null;
    const calls = new OperatorCalls(rpc, tenantId);
    try {
      // Files that are written from now on are merged into this store.
      if (to !== null) await calls.call(searchOperations.chooseTextStore, { store: to });
      if (fileIds.length > 0) counts.add(await rebuildFiles(calls, fileIds));
      else {
        for await (const page of rebuildTenant(calls, last)) {
          counts.add(page.files);
          last = page.last;
          print(`${tenantId} up to ${last}: ${counts.summary}`);
        }
      }
    } catch (error) {
      const left = tenants.slice(position).map((id) => `--tenant ${id}`);
      const words = [
        ...left,
        ...fileIds.map((id) => `--file ${id}`),
        ...(last === null ? [] : [`--after ${last}`]),
        ...(to === null ? [] : [`--to ${to}`]),
      ];
      throw new Error(`interrupted after ${counts.summary}. Continue with: kiln search rebuild ${words.join(' ')}`, {
        cause: error,
      });
    }
  }
  print(`done: ${counts.summary}`);
  if (counts.hasFailed) process.exitCode = 2;
}

async function reembed(rpc: RpcClient, { tenant: tenants, model, partial: isPartial }: ReembedWords): Promise<void> {
  let failed = 0;
  for (const tenantId of tenants) {
    for await (const progress of reembedTenant(new OperatorCalls(rpc, tenantId), { model, isPartial })) {
      for (const { file_id: fileId, problem } of progress.failed) print(`${fileId} was not embedded: ${problem}`);
      failed += progress.failed.length;
      const what = progress.phase === 'embed' ? `embedded with ${progress.model}` : 'have their new vectors';
      print(`${tenantId}: ${progress.done} of ${progress.total} files ${what}`);
    }
  }
  if (failed === 0) {
    print('done');
    return;
  }
  process.exitCode = 2;
  const kept = isPartial
    ? 'They keep their former vectors.'
    : 'Nothing was changed in their tenant. Correct them, or add --partial.';
  print(`${failed} ${failed === 1 ? 'file was' : 'files were'} not embedded. ${kept}`);
}

startOrExit(async () => {
  const words = readWords(process.argv.slice(2));
  const config = loadCliConfig();
  const logger = createLogger({ service: 'kiln', role: 'cli', level: config.KILN_LOG_LEVEL });
  const connection = await connectBus({ url: config.NATS_URL, name: 'kiln-cli', logger });
  try {
    const rpc = new RpcClient(connection, config.KILN_BUS_NAMESPACE);
    await (words.verb === 'rebuild' ? rebuild(rpc, words) : reembed(rpc, words));
  } finally {
    await connection.close();
  }
});
