// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Files {
  constructor(protected readonly transport: Transport) {}

  /**
   * Upload a file.
   *
   * A multipart request carries the bytes. A JSON request returns a signed URL; send the bytes there with PUT. No further call is needed. With `wait`, the response to a multipart request comes when the file is processed, with its variants. Processing starts when the bytes are in storage, unless `skip_processing` is true. In a multipart request, send the object fields (`metadata`, `chunking`, `variants`) as JSON strings. If the organization has reached a hard page limit, the request fails with 402 before the bytes are read. An upload with `skip_processing` is exempt if that field comes before the file. An upload with `on_conflict=replace` gives its content to the file that has its `external_id`; by a signed URL when the bytes have arrived.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/upload`
   */
  createUpload(
    body: Schemas['UploadRequest'],
    query: Query<'upload'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['UploadResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/upload', query, body, isKeyed: true }, options);
  }

  /**
   * List files.
   *
   * Returns the newest files first by default. Filters are combined with AND. `metadata.<key>=<value>` matches the exact value. `filter` has other comparisons. A page may have fewer files than `limit`, or none: the list ends where `next_cursor` is null.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files`
   */
  list(
    query: Query<'listFiles'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListFilesResponse'], Schemas['ListFilesResponse']['files'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/files', query }, 'files', options);
  }

  /**
   * Delete up to 100 files.
   *
   * Send either `file_ids` or a `selection`. Deletes every file that exists. `errors` lists the ids that do not belong to a file. Of a larger selection, 100 files are deleted, and `more` is true.
   *
   * Needs the scope `files:write`.
   *
   * `DELETE /v1/files`
   */
  deleteMany(
    body: Schemas['DeleteFilesRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['DeleteFilesResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/files', body }, options);
  }

  /**
   * Create a file.
   *
   * The bytes are the text in `content`, or what Kiln downloads from `url`; the response comes when they are stored. Without both, the response has a signed URL, as that of a JSON upload: send the bytes there with PUT. The server of `url` must have a public address, and must send the whole file within five minutes, unless the operator has set other limits.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/files`
   */
  create(
    body: Schemas['CreateFileRequest'],
    query: Query<'createFile'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['CreateFileResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/files', query, body, isKeyed: true }, options);
  }

  /**
   * Get a file with its variants.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{id}`
   */
  get(id: string, options: RequestOptions = {}): Promise<Schemas['File']> {
    return this.transport.json({ method: 'GET', path: '/v1/files/{id}', parameters: [id] }, options);
  }

  /**
   * Update a file.
   *
   * Changes the name, the space, the metadata or the external id of a file. Omitted fields keep their values, and so do omitted keys of `metadata`; a key with null is removed. Lists show the new values at once, searches within seconds. The variants do not change.
   *
   * Needs the scope `files:write`.
   *
   * `PATCH /v1/files/{id}`
   */
  update(id: string, body: Schemas['UpdateFileRequest'], options: RequestOptions = {}): Promise<Schemas['File']> {
    return this.transport.json({ method: 'PATCH', path: '/v1/files/{id}', parameters: [id], body }, options);
  }

  /**
   * Delete a file.
   *
   * Deletes the file, its variants and its jobs. The file can be neither read nor found once this request returns, and its running job is stopped. The stored bytes are removed shortly afterwards; signed URLs to them then stop working.
   *
   * Needs the scope `files:write`.
   *
   * `DELETE /v1/files/{id}`
   */
  delete(id: string, options: RequestOptions = {}): Promise<Schemas['DeleteFileResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/files/{id}', parameters: [id] }, options);
  }

  /**
   * List the chunks of a file.
   *
   * The parts of the text that searches find, in their order. A file without the variant `searchable-index`, or not processed yet, has none.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{id}/chunks`
   */
  listChunks(
    id: string,
    query: Query<'listFileChunks'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListFileChunksResponse'], Schemas['ListFileChunksResponse']['chunks'][number]> {
    return this.transport.list(
      { method: 'GET', path: '/v1/files/{id}/chunks', parameters: [id], query },
      'chunks',
      options,
    );
  }

  /**
   * Get a download URL for a file.
   *
   * The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{id}/download`
   */
  download(id: string, options: RequestOptions = {}): Promise<Schemas['DownloadFileResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/files/{id}/download', parameters: [id] }, options);
  }

  /**
   * Get an image of a page.
   *
   * Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{id}/pages/{page}.png`
   */
  getPageImage(
    id: string,
    page: number,
    query: Query<'getPageImage'> = {},
    options: RequestOptions = {},
  ): Promise<Blob> {
    return this.transport.bytes(
      { method: 'GET', path: '/v1/files/{id}/pages/{page}.png', parameters: [id, page], query },
      options,
    );
  }

  /**
   * Process or reprocess a file.
   *
   * Creates a job that replaces the current job of the file, even if that job is running: the newest request wins. Existing variants stay readable until new ones replace them. The body is optional. Returns 409 if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/files/{id}/process`
   */
  process(
    id: string,
    body: Schemas['ProcessFileRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['ProcessFileResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/files/{id}/process', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Process many files.
   *
   * Send `file_ids` (up to 1,000), `connection_id` or a `selection`. Of a larger selection, 1,000 files are processed, and `more` is true. Files that cannot be processed are listed in `errors`; the others are queued. With `connection_id`, every file node without an up-to-date result is queued; the bytes stay in the bucket. The response covers about the first 1,000 files. The others are queued in the background, in the same batch, until the quota of the plan is reached; `rest` reports their state.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/files/process-batch`
   */
  processMany(
    body: Schemas['ProcessBatchRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['ProcessBatchResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/files/process-batch', body, isKeyed: true }, options);
  }
}
