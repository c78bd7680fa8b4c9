// `kiln search`: rebuilds the index, for the operator. Reads NATS_URL.
import type { RebuiltFile } from '@kiln/contracts';
import { connectBus, createLogger, RpcClient, startOrExit } from '@kiln/platform';
import { loadCliConfig } from './cli.config.js';
import { rebuildFiles, rebuildTenant } from './rebuild-tenant.usecase.js';
import { readWords, type Words } from './arguments.command.js';

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

async function rebuild(rpc: RpcClient, { tenant: tenants, file: fileIds, after }: Words): Promise<void> {
  const counts = new Counts();
  for (const [position, tenantId] of tenants.entries()) {
    let last = position === 0 ? after : null;
    try {
      if (fileIds.length > 0) counts.add(await rebuildFiles(rpc, tenantId, fileIds));
      else {
        for await (const page of rebuildTenant(rpc, tenantId, last)) {
          counts.add(page.files);
          last = page.last;
          print(`${tenantId} up to ${last}: ${counts.summary}`);
        }
      }
    } catch (error) {
      const left = tenants.slice(position).map((id) => `--tenant ${id}`);
      const words = [...left, ...fileIds.map((id) => `--file ${id}`), ...(last === null ? [] : [`--after ${last}`])];
      throw new Error(`interrupted after ${counts.summary}. Continue with: kiln search rebuild ${words.join(' ')}`, {
        cause: error,
      });
    }
  }
  print(`done: ${counts.summary}`);
  if (counts.hasFailed) process.exitCode = 2;
}

startOrExit(async () => {
  const words = readWords(process.argv.slice(2));
  const config = loadCliConfig();
  const logger = createLogger({ service: 'kiln', role: 'cli', level: config.KILN_LOG_LEVEL });
  const connection = await connectBus({ url: config.NATS_URL, name: 'kiln-cli', logger });
  try {
    await rebuild(new RpcClient(connection, config.KILN_BUS_NAMESPACE), words);
  } finally {
    await connection.close();
  }
});
