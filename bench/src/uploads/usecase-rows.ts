// Creates files and jobs with the services' use cases, including events, counts and names, but without bus and consumers.
// Each use case has its own schema in one database.
import { encodeId } from '@kiln/contracts';
import { BatchStore } from '@kiln/files/batches/batch.store';
import { ExternalIdStore } from '@kiln/files/files/external-id.store';
import { FileStore } from '@kiln/files/files/file.store';
import { NewFileStore } from '@kiln/files/uploads/new-file.store';
import { FileContentStore } from '@kiln/files/replacements/file-content.store';
import { RegisterReplacement } from '@kiln/files/replacements/register-replacement.usecase';
import { ReplacementStore } from '@kiln/files/replacements/replacement.store';
import { ReplaceContent } from '@kiln/files/replacements/replace-content.usecase';
import { FileUpdateStore } from '@kiln/files/updates/file-update.store';
import { RegisterFiles } from '@kiln/files/uploads/register-files.usecase';
import { JobBatchStore } from '@kiln/jobs/requests/job-batch.store';
import { RequestJobs } from '@kiln/jobs/requests/request-jobs.usecase';
import { connectBus, createLogger, Database, WakeUp } from '@kiln/platform';
import { migrateBuiltService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';

const SIGNED_URL_SECONDS = 3_600;

async function openSchema(service: string, databaseUrl: string, connections: number): Promise<Database> {
  await migrateBuiltService(service, databaseUrl);
  const options = { url: databaseUrl, schema: service, connectionsMax: connections, statementTimeoutMs: 10_000 };
  return Database.open(options, (error) => console.error(error));
}

export async function usecaseRows(databaseUrl: string, natsUrl: string, connections: number) {
  const files = await openSchema('files', databaseUrl, connections);
  const jobs = await openSchema('jobs', databaseUrl, connections);
  const logger = createLogger({ service: 'bench', role: 'all', level: 'warn' });
  const connection = await connectBus({ url: natsUrl, name: 'bench', logger });
  // A namespace without listeners.
  const wakeUp = new WakeUp(connection, `bench-${uuidv7()}`);
  const signPut = () => Promise.reject(new Error('no bytes to come'));
  const registerFiles = new RegisterFiles(
    files,
    new NewFileStore(),
    new FileStore(files),
    new ExternalIdStore(files),
    new BatchStore(files),
    new ReplaceContent(files, new FileUpdateStore(), new FileContentStore()),
    new RegisterReplacement(files, new FileContentStore(), new ReplacementStore(files)),
    { signPut, keysExpireAt: async () => null },
    SIGNED_URL_SECONDS,
    { expectUpload: () => undefined },
  );
  const requestJobs = new RequestJobs(jobs, new JobBatchStore(), wakeUp);
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
    const stored = { size_bytes: 1_024, sha256: 'a'.repeat(64) };
    await registerFiles.stored({ ...ids, ...facts, ...stored, skip_processing: false, metadata: {} }, context);
    const job = { ...ids, ...facts, size_bytes: null, batch_id: null, ready: true, processing: {} };
    await requestJobs.execute({ jobs: [job] }, context);
  };
  const close = () => Promise.all([files.close(), jobs.close(), connection.close()]);
  return { work, close };
}
