// Registers files, with or without their bytes. The caller chooses the ids: a repeated call finds its own rows and returns the same answer.
import { CodedError, sourceKey, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database, GroupedCalls } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { BatchStore } from '../batches/batch.store.js';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { registered } from '../files/file.events.js';
import { ExternalIdStore, isTaken } from '../files/external-id.store.js';
import { createdFile, type NewFile } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { RegisterReplacement, type RegistrationOptions } from '../replacements/register-replacement.usecase.js';
import { ReplaceContent } from '../replacements/replace-content.usecase.js';
import { signedFor } from '../sources/signed-url.service.js';
import { newFile, sameFile } from './new-file.domain.js';
import { NewFileStore, type Registration } from './new-file.store.js';
import { PendingUploadNotifier } from './pending-upload-notifier.service.js';

const STATEMENTS_IN_FLIGHT_MAX = 2;
const FILES_PER_STATEMENT_MAX = 100;

@Injectable()
export class RegisterFiles {
  /** Concurrent files of one tenant are registered in one statement. */
  private readonly registrations: GroupedCalls<Registration, NewFile | null>;
  private countBytes: (bytes: number) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly newFiles: NewFileStore,
    private readonly files: FileStore,
    private readonly externalIds: ExternalIdStore,
    private readonly batches: BatchStore,
    private readonly replaceContent: ReplaceContent,
    private readonly registerReplacement: RegisterReplacement,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'signPut' | 'keysExpireAt'>,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
    @Inject(PendingUploadNotifier) private readonly pending: Pick<PendingUploadNotifier, 'expectUpload'>,
  ) {
    this.registrations = new GroupedCalls((tenantId, group) => this.insert(tenantId, group), {
      inFlightMax: STATEMENTS_IN_FLIGHT_MAX,
      callsMax: FILES_PER_STATEMENT_MAX,
    });
  }

  /** Calls `listener` with the size of each file that the gateway has stored, again if the call is repeated. */
  onStored(listener: (bytes: number) => void): void {
    this.countBytes = listener;
  }

  /** Registers a file whose bytes the gateway has streamed into storage. */
  async stored(input: FilesInput<'createFile'>, context: CallContext): Promise<FilesOutput<'createFile'>> {
    const { size_bytes, sha256 } = input;
    const file: NewFile = { ...newFile(input, context), size_bytes, sha256, status: 'uploaded' };
    const { space, metadata } = input;
    const row = await this.replaceOrRegister(input, {
      replace: () => this.replaceContent.execute({ upload: file, space, metadata }, context),
      register: () => this.register(file, context),
    });
    if (size_bytes !== null) this.countBytes(size_bytes);
    return createdFile(row);
  }

  /** Registers a file whose bytes arrive by PUT, and signs the URL for them. */
  async upload(input: FilesInput<'createUpload'>, context: CallContext): Promise<FilesOutput<'createUpload'>> {
    const file = newFile(input, context);
    const row = await this.replaceOrRegister<NewFile>(input, {
      replace: () => this.registerReplacement.execute(file, input, context, { expiresSeconds: this.signedUrlSeconds }),
      register: () => this.register(file, context),
    });
    this.pending.expectUpload();
    return this.signed(row, file.id);
  }

  /** Registers a file whose bytes arrive in parts. `add` records the parts in the same transaction. */
  async inParts(
    input: FilesInput<'createUpload'>,
    context: CallContext,
    options: Required<RegistrationOptions>,
  ): Promise<NewFile> {
    const upload = newFile(input, context);
    const file = await this.replaceOrRegister<NewFile>(input, {
      replace: () => this.registerReplacement.execute(upload, input, context, options),
      register: () => this.registerInParts(upload, context, options),
    });
    this.pending.expectUpload();
    return file;
  }

  private registerInParts(
    upload: NewFile,
    context: CallContext,
    { expiresSeconds, add }: Required<RegistrationOptions>,
  ): Promise<NewFile> {
    return this.register(upload, context, (registration) =>
      this.database.transaction(async (transaction) => {
        const added = await this.newFiles.insert(transaction, context.tenantId, [registration], expiresSeconds);
        if (added.size > 0) await add(transaction);
        return added.get(registration.file.id) ?? null;
      }),
    );
  }

  private async replaceOrRegister<Row>(
    { on_conflict, external_id }: Pick<FilesInput<'createUpload'>, 'on_conflict' | 'external_id'>,
    { replace, register }: { replace: () => Promise<Row | null>; register: () => Promise<Row> },
  ): Promise<Row> {
    if (on_conflict !== 'replace' || external_id === undefined) return register();
    const replaced = await replace();
    if (replaced) return replaced;
    try {
      return await register();
    } catch (error) {
      // Another upload has created the file meanwhile.
      const retried = error instanceof CodedError && error.code === 'CONFLICT' ? await replace() : null;
      if (retried) return retried;
      throw error;
    }
  }

  /** Registers many files whose bytes arrive by PUT, as one batch: all or none. */
  async batch(input: FilesInput<'createUploads'>, context: CallContext): Promise<FilesOutput<'createUploads'>> {
    const batchId = uuidOf('batch', input.batch_id);
    const files = input.files.map((file) => newFile(file, context, batchId));
    const rows = await this.orFreed(files, context.tenantId, () => this.registerBatch(files, batchId, context));
    this.pending.expectUpload();
    return { files: await Promise.all(rows.map((row) => this.signed(row, row.id))) };
  }

  /** Returns null, and registers none, if an external id is not free. */
  private async registerBatch(
    files: readonly NewFile[],
    batchId: string,
    { tenantId, requestId }: CallContext,
  ): Promise<NewFile[] | null> {
    const registrations = files.map((file) => ({ file, events: registered(file, requestId) }));
    const work = this.database.transaction(async (transaction) => {
      const added = await this.newFiles.insert(transaction, tenantId, registrations, this.signedUrlSeconds);
      const known = files.map(({ id }) => id).filter((id) => !added.has(id));
      const found = known.length === 0 ? [] : await this.files.findMany(tenantId, known, transaction);
      const rows = new Map<string, NewFile>([...added, ...found.map((row) => [row.id, row] as const)]);
      if (files.some(({ id, external_id: externalId }) => externalId !== null && !rows.has(id))) throw new TakenError();
      await this.batches.add(transaction, { tenantId, batchId }, [...added.keys()]);
      return files.map((file) => sameFile(rows.get(file.id), file));
    });
    return work.catch((error: unknown) => {
      if (error instanceof TakenError) return null;
      throw error;
    });
  }

  private async register(
    file: NewFile,
    { tenantId, requestId }: CallContext,
    insert = (registration: Registration) => this.registrations.run(tenantId, registration),
  ): Promise<NewFile> {
    const registration = { file, events: registered(file, requestId) };
    return this.orFreed([file], tenantId, async () => {
      const created = await insert(registration);
      const row = created ?? (await this.files.find(tenantId, file.id));
      return row === null && file.external_id !== null ? null : sameFile(row, file);
    });
  }

  /** Repeats `work` if it returned null because deleted files had external ids of these files. Throws CONFLICT if others have them. */
  private async orFreed<Result>(
    files: readonly NewFile[],
    tenantId: string,
    work: () => Promise<Result | null>,
  ): Promise<Result> {
    const first = await work();
    if (first !== null) return first;
    const externalIds = files.flatMap(({ external_id: externalId }) => externalId ?? []);
    await this.externalIds.free(tenantId, externalIds);
    const second = await work();
    if (second === null) throw isTaken(externalIds.join(', '));
    return second;
  }

  /** Returns the row of each file, or null when its id or external id was already in use. */
  private async insert(tenantId: string, group: Registration[]): Promise<(NewFile | null)[]> {
    const added = await this.newFiles.insert(this.database, tenantId, group, this.signedUrlSeconds);
    return group.map(({ file }) => added.get(file.id) ?? null);
  }

  /** If storage can do so, the URL accepts no other number of bytes than the claimed one. */
  private async signed(row: NewFile, uploadId: string): Promise<FilesOutput<'createUpload'>> {
    const { signed, expiresSeconds } = await signedFor(this.objects, this.signedUrlSeconds, (validSeconds) =>
      this.objects.signPut(sourceKey(row.tenant_id, uploadId), {
        expiresSeconds: validSeconds,
        ...(row.size_bytes !== null && { sizeBytes: row.size_bytes }),
      }),
    );
    return {
      ...createdFile(row),
      upload_url: signed.url,
      upload_method: 'PUT',
      upload_headers: signed.headers,
      expires_in: expiresSeconds,
    };
  }
}

/** An external id is not free, so the transaction is rolled back. */
class TakenError extends Error {}
