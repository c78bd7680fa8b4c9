// Creates files and jobs through the operations, like the gateway.
import { encodeId, filesOperations, jobsOperations } from '@kiln/contracts';
import { connectBus, createLogger, RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';

export async function serviceRows(natsUrl: string) {
  const logger = createLogger({ service: 'bench', role: 'all', level: 'warn' });
  const connection = await connectBus({ url: natsUrl, name: 'bench', logger });
  const rpc = new RpcClient(connection, 'kiln');
  const tenantId = uuidv7();
  const facts = { space: 'default', filename: 'small.txt', content_type: 'text/plain' };
  const work = async () => {
    const ids = { file_id: encodeId('file', uuidv7()), job_id: encodeId('job', uuidv7()) };
    const context = {
      requestId: 'bench',
      tenantId,
      mode: 'live' as const,
      principal: 'bench',
      deadlineAt: Date.now() + 10_000,
    };
    const file = { ...ids, ...facts, size_bytes: 1_024, sha256: 'a'.repeat(64) };
    await rpc.call(filesOperations.createFile, file, context);
    await rpc.call(
      jobsOperations.createJobs,
      { jobs: [{ ...ids, ...facts, size_bytes: null, ready: true, processing: {} }] },
      context,
    );
  };
  return { work, close: () => connection.close() };
}
