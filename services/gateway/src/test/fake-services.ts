// FAKES of the files, jobs and search services for the gateway's integration tests: small responders on the real bus,
// behind the platform's own RPC server, so that inputs are checked by the contracts. They keep files in memory.
import {
  badRequest,
  chunkingSchema,
  connectionsOperations,
  filesOperations,
  formatTimestamp,
  jobsOperations,
  notFound,
  outputKey,
  previewOf,
  searchOperations,
  storageKey,
  uuidOf,
  webhooksOperations,
  type CallContext,
  type Operation,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import {
  connectBus,
  createLogger,
  Metrics,
  pingSubject,
  rpcSubject,
  RpcServer,
  type NatsConnection,
} from '@kiln/platform';

type File = OperationOutput<typeof filesOperations.getFile>;
type Variant = OperationOutput<typeof filesOperations.getVariant>;
type NewFile = OperationInput<typeof filesOperations.createUpload>;
export interface RecordedCall {
  subject: string;
  input: unknown;
  context: CallContext;
}

export class FakeServices {
  readonly calls: RecordedCall[] = [];
  readonly files = new Map<string, File>();
  readonly jobs = new Map<string, OperationOutput<typeof jobsOperations.getJob>>();
  readonly variants: Variant[] = [];
  private readonly overrides = new Map<string, () => Promise<unknown>>();
  private connection: NatsConnection | null = null;
  private servers: { server: RpcServer; operation: Operation; listen: () => void }[] = [];
  private silent: ReturnType<NatsConnection['subscribe']>[] = [];
  /** Calls that silenced services have taken. */
  unanswered = 0;

  constructor(
    private readonly natsUrl: string,
    private readonly namespace: string,
  ) {}

  async start(): Promise<void> {
    const logger = createLogger({ service: 'fakes', role: 'all', level: 'error' });
    this.connection = await connectBus({ url: this.natsUrl, name: 'fakes', logger });
    this.answer(filesOperations.createFile, (input) => this.create(input, input.size_bytes, input.sha256));
    this.answer(filesOperations.createUpload, (input) => this.createUpload(input));
    this.answer(filesOperations.createUploads, ({ files }) => ({
      files: files.map((file) => this.createUpload(file)),
    }));
    this.answer(filesOperations.getBatch, () => missing());
    this.answer(filesOperations.processFiles, (input) => this.processFiles(input));
    this.answer(filesOperations.processConnection, () => missing());
    this.answer(filesOperations.processNode, () => refused(filesOperations.processNode));
    this.answer(filesOperations.downloadFile, ({ id }) =>
      this.files.has(id) ? { url: 'http://127.0.0.1:1/get-here', expires_in: 3600 } : missing(),
    );
    this.answer(filesOperations.getFile, ({ id }) => this.files.get(id) ?? missing());
    this.answer(filesOperations.listFiles, () => ({
      files: [...this.files.values()].map(({ variants: _variants, sha256: _sha256, ...summary }) => summary),
      next_cursor: null,
    }));
    this.answer(filesOperations.listVariants, ({ file_id }) => ({
      variants: this.files.has(file_id) ? this.variants.filter((variant) => variant.file_id === file_id) : missing(),
    }));
    this.answer(
      filesOperations.getVariant,
      ({ file_id, type }) =>
        this.variants.find((variant) => variant.file_id === file_id && variant.type === type) ?? missing(),
    );
    this.answer(filesOperations.listSpaces, () => ({ spaces: [], next_cursor: null }));
    this.answer(filesOperations.getSpaceStats, () => missing());
    this.answer(filesOperations.deleteSpace, () => missing());
    this.answer(filesOperations.deleteFile, ({ id }) =>
      this.files.delete(id) ? { deleted: true as const } : missing(),
    );
    this.answer(filesOperations.deleteFiles, ({ file_ids }) => ({
      deleted: file_ids.filter((id) => this.files.delete(id)).length,
      errors: [],
    }));
    this.answer(jobsOperations.createJobs, ({ jobs }) => ({ created: jobs.map((job) => this.createJob(job)).length }));
    this.answer(jobsOperations.listJobs, () => ({ jobs: [...this.jobs.values()], next_cursor: null }));
    this.answer(jobsOperations.cancelJob, ({ id }) =>
      this.jobs.has(id) ? { id, status: 'cancelled' as const } : missing(),
    );
    this.answer(jobsOperations.retryJob, () => missing());
    this.answer(jobsOperations.getJob, ({ id }) => this.jobs.get(id) ?? missing());
    this.answerOrganization();
    this.answer(searchOperations.search, ({ query, mode }) => ({ results: [], total: 0, query, mode }));
    this.answerWebhooks();
    this.answerConnections();
    await this.connection.flush();
  }

  /** There are none, and none can be made. */
  private answerWebhooks(): void {
    const { listWebhooks, listEvents, ...others } = webhooksOperations;
    this.answer(listWebhooks, () => ({ webhooks: [] }));
    this.answer(listEvents, () => ({ events: [], next_cursor: null }));
    for (const operation of Object.values<Operation>(others)) this.answer(operation, () => refused(operation));
  }

  /** There are none, and none can be made. */
  private answerConnections(): void {
    const { listConnections, listBuckets, listProviders, startConnection, listNodes, ...others } =
      connectionsOperations;
    this.answer(listNodes, () => ({ nodes: [], next_cursor: null }));
    this.answer(listConnections, () => ({ connections: [], next_cursor: null }));
    this.answer(listBuckets, () => ({ buckets: [] }));
    this.answer(listProviders, () => ({ providers: [] }));
    this.answer(startConnection, ({ provider }) => ({
      provider,
      auth_type: 'access_key' as const,
      instructions: { steps: [], required_fields: [] },
    }));
    for (const operation of Object.values<Operation>(others)) this.answer(operation, () => refused(operation));
  }

  /** It has set nothing, and what it sets is forgotten. */
  private answerOrganization(): void {
    const settings = {
      default_embedding_model: 'small',
      default_chunking: chunkingSchema.parse({}),
      default_variants: [],
    };
    this.answer(jobsOperations.getSettings, () => settings);
    this.answer(jobsOperations.updateSettings, () => settings);
    this.answer(jobsOperations.getRoutingRules, () => ({ rules: [] }));
    this.answer(jobsOperations.setRoutingRules, (rules) => rules);
    this.answer(jobsOperations.listProviderKeys, () => ({ provider_keys: [] }));
    this.answer(jobsOperations.setProviderKey, ({ provider, key }) => {
      const now = formatTimestamp(new Date());
      return { provider, key_preview: previewOf(key), created_at: now, updated_at: now };
    });
    this.answer(jobsOperations.deleteProviderKey, () => missing());
    this.answer(jobsOperations.getUsage, () => ({ period: '2026-11', pages_used: 0 }));
    this.answer(jobsOperations.reservePages, ({ jobs }) => ({
      reserved: jobs.map(({ id }) => id),
      lease_seconds: 900,
    }));
    this.answer(jobsOperations.releasePages, () => ({}));
  }

  /** From now on the operation does this instead; `reset` takes it back. */
  override(operation: Operation, behaviour: () => Promise<unknown>): void {
    this.overrides.set(operation.subject, behaviour);
  }

  reset(): void {
    this.overrides.clear();
    this.calls.length = 0;
  }

  callsOf<Op extends Operation>(operation: Op): (RecordedCall & { input: OperationInput<Op> })[] {
    return this.calls.filter((call) => call.subject === operation.subject) as (RecordedCall & {
      input: OperationInput<Op>;
    })[];
  }

  /** The processes of a service take calls and answer none, as under SIGSTOP. */
  async silence(service: string): Promise<void> {
    await Promise.all(this.serversOf(service).map(({ server }) => server.drain(1_000)));
    const take = (subject: string, callback: () => void) => {
      const taken = this.connection?.subscribe(subject, { queue: service, callback });
      if (taken) this.silent.push(taken);
    };
    take(rpcSubject(this.namespace, `${service}.>`), () => this.unanswered++);
    take(pingSubject(this.namespace, service), () => undefined);
    await this.connection?.flush();
  }

  /** They answer again. */
  unsilence(service: string): void {
    for (const subscription of this.silent.splice(0)) subscription.unsubscribe();
    for (const { listen } of this.serversOf(service)) listen();
  }

  private serversOf(service: string) {
    return this.servers.filter(({ operation }) => operation.subject.startsWith(`${service}.`));
  }

  /** The services are gone from the bus, and come back with `start`. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map(({ server }) => server.drain(1_000)));
    this.servers = [];
    await this.connection?.close();
  }

  private answer<Op extends Operation>(
    operation: Op,
    handler: (input: OperationInput<Op>, context: CallContext) => OperationOutput<Op>,
  ): void {
    if (!this.connection) throw new Error('not started');
    const service = operation.subject.split('.')[0] ?? '';
    const logger = createLogger({ service, role: 'all', level: 'silent' });
    const server = new RpcServer({
      connection: this.connection,
      namespace: this.namespace,
      service,
      logger,
      metrics: new Metrics(service, 'all'),
    });
    const listen = () =>
      server.listen(operation, async (input, context) => {
        this.calls.push({ subject: operation.subject, input, context });
        const override = this.overrides.get(operation.subject);
        return override ? override() : handler(input as OperationInput<Op>, context);
      });
    listen();
    this.servers.push({ server, operation, listen });
  }

  private create(input: NewFile, size_bytes: number | null, sha256: string | null = null) {
    const { file_id, job_id, space, filename, metadata } = input;
    const now = formatTimestamp(new Date());
    const summary = { id: file_id, space, filename, content_type: input.content_type ?? null, size_bytes };
    const status = 'uploaded' as const;
    const times = { created_at: now, updated_at: now };
    this.files.set(file_id, { ...summary, status, job_id, metadata, ...times, sha256, variants: [] });
    return { ...summary, status, job_id, storage_key: storageKey(space, file_id, filename) };
  }

  private createUpload(input: NewFile) {
    return {
      ...this.create(input, input.size_bytes ?? null),
      status: 'uploading' as const,
      upload_url: 'http://127.0.0.1:1/put-here',
      upload_method: 'PUT' as const,
      upload_headers: {},
      expires_in: 3600,
    };
  }

  private processFiles({ files, processing, batch_id }: OperationInput<typeof filesOperations.processFiles>) {
    const outcome: OperationOutput<typeof filesOperations.processFiles> = { jobs: [], errors: [] };
    for (const { file_id, job_id } of files) {
      const file = this.files.get(file_id);
      if (file) {
        const { space, filename, content_type } = file;
        outcome.jobs.push({ file_id, job_id, space, filename, content_type, batch_id, ready: true, processing });
      } else outcome.errors.push({ file_id, code: 'NOT_FOUND', message: 'No file has this id.' });
    }
    return outcome;
  }

  private createJob({ job_id, file_id, space }: OperationInput<typeof jobsOperations.createJobs>['jobs'][number]) {
    const job = {
      id: job_id,
      file_id,
      space,
      status: 'queued' as const,
      provider: null,
      step: null,
      progress: 0,
      attempts: 0,
      error: null,
      batch_id: null,
      created_at: formatTimestamp(new Date()),
      started_at: null,
      completed_at: null,
      timeline: [],
    };
    this.jobs.set(job_id, job);
    return job;
  }

  /** Adds a variant and answers the key its content must be stored under. */
  addVariant(
    tenantId: string,
    variant: Omit<Variant, 'content_key' | 'content_url' | 'created_at' | 'provider'>,
  ): string {
    const fileUuid = uuidOf('file', variant.file_id);
    const content_key = outputKey(tenantId, fileUuid, fileUuid, 1, variant.type);
    const created_at = formatTimestamp(new Date());
    this.variants.push({
      ...variant,
      provider: 'document_extractor',
      created_at,
      content_key,
      content_url: 'http://127.0.0.1:1/get',
    });
    return content_key;
  }
}

function missing(): never {
  throw notFound();
}

/** There is nothing to do it to, in a code that the operation may give. */
function refused({ errors }: Operation): never {
  throw errors.includes('NOT_FOUND') ? notFound() : badRequest('There is none.');
}
