// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
export interface Schemas {
  Error: {
    /** @description The problem, and how to solve it. */
    error: string;
    /** @enum {string} */
    code:
      | 'BAD_REQUEST'
      | 'UNAUTHORIZED'
      | 'QUOTA_EXCEEDED'
      | 'FORBIDDEN'
      | 'NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'CONFLICT'
      | 'EVENTS_EXPIRED'
      | 'PAYLOAD_TOO_LARGE'
      | 'BUCKET_UNAVAILABLE'
      | 'SOURCE_UNAVAILABLE'
      | 'RATE_LIMITED'
      | 'INTERNAL_ERROR'
      | 'UNAVAILABLE';
    requestId: string;
  };
  File: {
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number | null;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
    metadata: {
      [key: string]: string;
    };
    /**
     * @description SHA-256 of the bytes in lower-case hexadecimal. Null until bytes sent to a signed URL have been processed.
     * @default null
     */
    sha256: string | null;
    variants: Schemas['VariantSummary'][];
  };
  FileSummary: {
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number | null;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
  };
  CreatedFile: {
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number | null;
    storage_key: string;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** @description SHA-256 of the bytes in lower-case hexadecimal. */
    sha256: string;
  };
  SignedUpload: {
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number | null;
    storage_key: string;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** Format: uri */
    upload_url: string;
    /** @constant */
    upload_method: 'PUT';
    upload_headers: {
      [key: string]: string;
    };
    /** @description The number of seconds until the URL expires. */
    expires_in: number;
  };
  Variant: {
    id: string;
    /** @enum {string} */
    type: 'markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout';
    content_type: string;
    size_bytes: number;
    /** @description UTC. */
    created_at: string;
    file_id: string;
    /**
     * @description The provider that read the file, also for a variant that is derived from its text.
     * @enum {string}
     */
    provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    /** @description The content, up to 1 MiB. Null if larger; download it from `content_url`. `thumbnails` (image/webp, at most 512 pixels a side) is a data: URI here. */
    content: string | null;
    /**
     * Format: uri
     * @description A signed URL that needs no credentials. It works until it expires or the content is deleted.
     */
    content_url: string;
  };
  VariantSummary: {
    id: string;
    /** @enum {string} */
    type: 'markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout';
    content_type: string;
    size_bytes: number;
    /** @description UTC. */
    created_at: string;
  };
  Job: {
    id: string;
    file_id: string;
    space: string;
    /** @enum {string} */
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
    provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
    /** @description The current step, or the last one that was attempted. */
    step: ('extract' | 'metadata' | 'thumbnails' | 'embed' | 'index' | 'finish') | null;
    progress: number;
    /** @description The number of attempts started so far. */
    attempts: number;
    error: Schemas['JobError'] | null;
    batch_id: string | null;
    /** @description UTC. */
    created_at: string;
    started_at: string | null;
    /** @description When the job completed. Null unless it did. */
    completed_at: string | null;
    /** @description When the job completed, failed or was cancelled. */
    ended_at: string | null;
  };
  JobDetail: {
    id: string;
    file_id: string;
    space: string;
    /** @enum {string} */
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
    provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
    /** @description The current step, or the last one that was attempted. */
    step: ('extract' | 'metadata' | 'thumbnails' | 'embed' | 'index' | 'finish') | null;
    progress: number;
    /** @description The number of attempts started so far. */
    attempts: number;
    error: Schemas['JobError'] | null;
    batch_id: string | null;
    /** @description UTC. */
    created_at: string;
    started_at: string | null;
    /** @description When the job completed. Null unless it did. */
    completed_at: string | null;
    /** @description When the job completed, failed or was cancelled. */
    ended_at: string | null;
    /** @description Every step of the last 100 attempts, in the order in which they started. */
    timeline: Schemas['TimelineEntry'][];
  };
  TimelineEntry: {
    /** @description The attempt this step belongs to, counted from 1. */
    attempt: number;
    /** @description Null for an attempt that ended before its first step. */
    step: ('extract' | 'metadata' | 'thumbnails' | 'embed' | 'index' | 'finish') | null;
    /** @description The provider of the step. Null if the step used none. */
    provider: string | null;
    /**
     * @description `failed`: the attempt ended at this step, whether or not another followed. `interrupted`: its worker stopped or died.
     * @enum {string}
     */
    status: 'running' | 'completed' | 'failed' | 'interrupted' | 'cancelled';
    /** @description UTC. */
    started_at: string;
    ended_at: string | null;
    duration_ms: number | null;
    error: {
      /** @enum {string} */
      code:
        | 'unsupported_type'
        | 'corrupt_file'
        | 'encrypted_file'
        | 'file_too_large'
        | 'provider_unauthorized'
        | 'provider_unavailable'
        | 'upload_expired'
        | 'quota_exceeded'
        | 'timeout'
        | 'internal';
      message: string;
    } | null;
  };
  JobError: {
    /** @enum {string} */
    code:
      | 'unsupported_type'
      | 'corrupt_file'
      | 'encrypted_file'
      | 'file_too_large'
      | 'provider_unauthorized'
      | 'provider_unavailable'
      | 'upload_expired'
      | 'quota_exceeded'
      | 'timeout'
      | 'internal';
    message: string;
    retryable: boolean;
  };
  Me: {
    org_id: string;
    /** @enum {string} */
    auth_type: 'api_key' | 'jwt';
    key_name: string;
    scopes: (
      | 'files:read'
      | 'files:write'
      | 'jobs:read'
      | 'jobs:write'
      | 'connections:read'
      | 'connections:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'search:read'
      | 'analytics:read'
      | 'org:read'
      | 'org:write'
      | 'keys:read'
      | 'keys:write'
      | 'portal:write'
      | 'logs:read'
      | '*'
    )[];
  };
  ApiKey: {
    id: string;
    name: string;
    /** @description The first characters of the secret. */
    prefix: string;
    scopes: (
      | 'files:read'
      | 'files:write'
      | 'jobs:read'
      | 'jobs:write'
      | 'connections:read'
      | 'connections:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'search:read'
      | 'analytics:read'
      | 'org:read'
      | 'org:write'
      | 'keys:read'
      | 'keys:write'
      | 'portal:write'
      | 'logs:read'
      | '*'
    )[];
    /** @enum {string} */
    mode: 'live' | 'test';
    expires_at: string | null;
    /** @description May lag by a few seconds. */
    last_used_at: string | null;
    /** @description UTC. */
    created_at: string;
  };
  CreatedApiKey: {
    id: string;
    name: string;
    /** @description The first characters of the secret. */
    prefix: string;
    scopes: (
      | 'files:read'
      | 'files:write'
      | 'jobs:read'
      | 'jobs:write'
      | 'connections:read'
      | 'connections:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'search:read'
      | 'analytics:read'
      | 'org:read'
      | 'org:write'
      | 'keys:read'
      | 'keys:write'
      | 'portal:write'
      | 'logs:read'
      | '*'
    )[];
    /** @enum {string} */
    mode: 'live' | 'test';
    expires_at: string | null;
    /** @description UTC. */
    created_at: string;
    /** @description The secret. It is returned only in this response. */
    key: string;
  };
  PortalToken: {
    /** @description The secret. It is returned only in this response. */
    token: string;
    /** @description UTC. */
    expires_at: string;
    space: string;
  };
  Connection: {
    id: string;
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    name: string;
    bucket: string;
    region: string | null;
    prefix: string | null;
    /**
     * @description `sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once.
     * @enum {string}
     */
    listing_order?: 'sorted' | 'unsorted';
    /** @description Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false. */
    auto_process?: boolean;
    /**
     * @description What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result.
     * @enum {string}
     */
    on_change?: 'reprocess' | 'ignore';
    /** @description Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters. */
    include?: string[];
    /** @description Leave out objects whose key matches one of these patterns. */
    exclude?: string[];
    /** @description The smallest size to select, in bytes. */
    min_size?: number | null;
    /** @description The largest size to select, in bytes. */
    max_size?: number | null;
    /** @description Select only objects that were modified later. Null: objects of any age. */
    modified_after?: string | null;
    /** @description Select only objects of these types, by the extension of their name. `image/*` selects all images. */
    content_types?: string[];
    /** @description Select only objects of these storage classes. An object without one is `STANDARD`. */
    storage_classes?: string[];
    /**
     * @description What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants.
     * @enum {string}
     */
    on_delete?: 'delete' | 'keep';
    space?: string;
    /** @description Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request. */
    sync_interval_minutes?: number | null;
    /** @description Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false. */
    paused?: boolean;
    notifications?: {
      /**
       * @description `sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.
       * @enum {string}
       */
      type: 'sqs' | 'pubsub' | 'storage_queue';
      queue: string;
      /**
       * @description `failing`: the queue, or an object that it names, cannot be read. Kiln tries again.
       * @enum {string}
       */
      status: 'active' | 'failing';
      /** @description Why the queue cannot be used. */
      error: {
        /** @enum {string} */
        code:
          | 'credentials_missing'
          | 'access_denied'
          | 'bucket_not_found'
          | 'queue_not_found'
          | 'endpoint_not_allowed'
          | 'unreachable'
          | 'timeout'
          | 'not_configured'
          | 'refused'
          | 'object_archived'
          | 'listing_incomplete'
          | 'too_many_deletions'
          | 'too_many_objects'
          | 'internal';
        message: string;
      } | null;
      /** @description When the last message was received. Null before the first. */
      last_received_at: string | null;
    } | null;
    inventory?: {
      bucket: string;
      prefix: string;
      max_age_hours: number;
    } | null;
    /** @description When the next scheduled sync starts; a time in the past means at once. Null without a schedule, and while it is paused. */
    next_sync_at?: string | null;
    /** @description The type of the stored credentials. Null if there are none. */
    auth_type: ('role_assumption' | 'service_account' | 'service_principal' | 'access_key') | null;
    /**
     * @description `pending`: no test or sync has succeeded yet. `error`: the last test or sync failed.
     * @enum {string}
     */
    status: 'pending' | 'active' | 'error';
    /** @description Why the last test or sync failed. */
    error: {
      /** @enum {string} */
      code:
        | 'credentials_missing'
        | 'access_denied'
        | 'bucket_not_found'
        | 'queue_not_found'
        | 'endpoint_not_allowed'
        | 'unreachable'
        | 'timeout'
        | 'not_configured'
        | 'refused'
        | 'object_archived'
        | 'listing_incomplete'
        | 'too_many_deletions'
        | 'too_many_objects'
        | 'internal';
      message: string;
    } | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
  };
  Node: {
    id: string;
    connection_id: string;
    /** @description The parent folder. Null at the top level. */
    parent_id: string | null;
    /** @enum {string} */
    type: 'file' | 'folder';
    name: string;
    /** @description The key in the bucket. The key of a folder ends with `/`. */
    path: string;
    /** @description Null for a folder. */
    size_bytes: number | null;
    /** @description Derived from the file name. Null if unknown. */
    content_type: string | null;
    etag: string | null;
    /** @description The storage class of an archived object, such as `GLACIER`, which cannot be read until it is restored. Else null. */
    archived_in?: string | null;
    /** @description The rule of the connection that leaves the object out of automatic processing, as the last sync found. Null if no rule does. */
    excluded_by?:
      | ('include' | 'exclude' | 'min_size' | 'max_size' | 'modified_after' | 'content_types' | 'storage_classes')
      | null;
    last_modified: string | null;
    /** @description UTC. */
    created_at: string;
  };
  Sync: {
    id: string;
    /** @enum {string} */
    status: 'pending' | 'syncing' | 'completed' | 'failed' | 'cancelled';
    /** @description The number of objects listed. */
    synced_count: number;
    files_added: number;
    /** @description The number of objects whose ETag or size has changed. */
    files_updated: number;
    files_deleted: number;
    /** @description The number of objects found under another key, by ETag and size. Their nodes and files are kept, and they count neither as added nor as deleted. */
    files_moved?: number;
    /** @description The number of objects handed to automatic processing. An object whose file is up to date gets no new job. */
    files_queued?: number;
    /** @description The number of objects listed that the rules of the connection leave out. */
    files_excluded?: number;
    /** @description The number of objects left out because their key is not text without NUL, is longer than 2,000 bytes, is deeper than 100 folders, contains a segment `.` or `..`, or ends in a slash although they have bytes, or because their size or time is invalid; and of archived objects, whose nodes say where in `archived_in`. */
    skipped: number;
    error: {
      code: string;
      message: string;
    } | null;
    /** @description When the listing began. A sync that continues a failed one has the time of that one. */
    started_at: string | null;
    completed_at: string | null;
  };
  Webhook: {
    id: string;
    url: string;
    events: (
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | '*'
    )[];
    /** @default null */
    spaces: string[] | null;
    active: boolean;
    description: string | null;
    /** @description The names of the custom headers. */
    header_names: string[];
    /** @description The time of the first failure since the last success. */
    failing_since: string | null;
    /** @description Why the last attempt failed. Null after a success. */
    last_error: string | null;
    /** @description Why Kiln disabled the webhook. */
    disabled_reason: ('gone' | 'failing') | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
  };
  CreatedWebhook: {
    id: string;
    url: string;
    events: (
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | '*'
    )[];
    /** @default null */
    spaces: string[] | null;
    active: boolean;
    description: string | null;
    /** @description The names of the custom headers. */
    header_names: string[];
    /** @description The time of the first failure since the last success. */
    failing_since: string | null;
    /** @description Why the last attempt failed. Null after a success. */
    last_error: string | null;
    /** @description Why Kiln disabled the webhook. */
    disabled_reason: ('gone' | 'failing') | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
    /** @description `whsec_` followed by 32 bytes in base64. It is returned only in this response. */
    secret: string;
  };
  Delivery: {
    id: string;
    event_id: string;
    /** @enum {string} */
    event_type:
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | 'webhook.test';
    /** @enum {string} */
    status: 'pending' | 'delivered' | 'failed';
    /** @description The number of attempts started so far. */
    attempt: number;
    status_code: number | null;
    /** @description The time of the last attempt. */
    attempted_at: string | null;
    duration_ms: number | null;
    error: string | null;
    /** @description The first 1 KiB of the last response. */
    response_body: string | null;
    /** @description Null if the delivery has succeeded or failed. */
    next_attempt_at: string | null;
    /** @description UTC. */
    created_at: string;
  };
  WebhookEvent: {
    /** @description The same as `id` in the payload and the `webhook-id` header. */
    id: string;
    /** @enum {string} */
    type:
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | 'webhook.test';
    webhook_id: string;
    delivered: boolean;
    /** @description UTC. */
    created_at: string;
  };
  SearchResult: {
    file_id: string;
    /** @description Comparable within one response. */
    score: number;
    /** @description The parts of the score. Null for a part that did not find the chunk or did not take part. */
    scores?: {
      /** @description How much of the query the words of the chunk and the title cover. */
      text: number | null;
      /** @description The cosine, or 0 if it is negative. */
      vector: number | null;
      /** @description The relevance that the reranking model sees. */
      rerank: number | null;
    };
    /** @description HTML-escaped. Matches are enclosed in `<mark>`. */
    snippet: string;
    /** @description The text of the chunk. */
    chunk_text: string;
    /** @description Whether the text is only the beginning of the chunk, because the whole response would be too large. */
    chunk_text_truncated: boolean;
    /** @description The words of the query in the text of the chunk, as offsets in UTF-16 units. The first 50. */
    highlights?: {
      start: number;
      end: number;
    }[];
    /** @description The position of the chunk in its file, from 0. */
    chunk_index?: number;
    /** @description Where the chunk begins in the markdown of the file, in UTF-16 units. */
    start?: number;
    /** @description Where it ends. */
    end?: number;
    /** @description The page on which the chunk begins. Null without pages. */
    page?: number | null;
    /** @description Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells. */
    regions?: {
      page: number;
      /** @description The left edge, as a share of the width of the page as it is shown. */
      x: number;
      /** @description The upper edge, as a share of the height. */
      y: number;
      width: number;
      height: number;
    }[];
    /** @description The headings above the chunk, the outermost first. */
    headings?: string[];
    filename?: string;
    space?: string;
    content_type?: string | null;
    external_id?: string | null;
    metadata?: {
      [key: string]: string;
    };
    /** @description When the file was created. */
    created_at?: string;
    /** @description Fields that are left out, because the whole response would be too large. */
    omitted?: ('headings' | 'highlights' | 'metadata' | 'regions')[];
    /** @description The same as `chunk_text`. */
    text: string;
  };
  AnswerSource: {
    /** @description The number `n` by which the answer cites this source as `[n]`. */
    citation: number;
    file_id: string;
    /** @description The same as `file_id`. */
    fileId: string;
    filename: string;
    /** @description HTML-escaped. Words of the question are enclosed in `<mark>`. */
    snippet: string;
    score: number;
    /** @description Where the passage begins in the text of the file, in UTF-16 units. */
    start: number;
    /** @description Where it ends. */
    end: number;
    /** @description The page on which the passage begins. Null without pages. */
    page: number | null;
    /**
     * @description Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells.
     * @default []
     */
    regions: {
      page: number;
      /** @description The left edge, as a share of the width of the page as it is shown. */
      x: number;
      /** @description The upper edge, as a share of the height. */
      y: number;
      width: number;
      height: number;
    }[];
  };
  AnswerEvent:
    | {
        /** @constant */
        type: 'chunk';
        /** @description The next part of the answer. */
        content: string;
      }
    | {
        /** @description Those that the answer cites, in the order of their numbers. Empty if the files do not answer the question. */
        sources: Schemas['AnswerSource'][];
        /** @description All citations, in the order in which they stand in the answer. */
        citations: {
          /** @description The number of the cited source. */
          citation: number;
          /** @description Where this `[n]` stands in the answer, or where the value begins in a JSON answer. In UTF-16 units. */
          position: number;
          /** @description The value of a JSON answer that the source supports, as a JSON Pointer (RFC 6901): `/parts/0/name`. */
          pointer?: string;
          /** @description The sentence that supports the statement before the citation. Null if they cannot be compared, because they are in different languages. */
          quote: {
            /** @description A sentence of the source, as plain text on one line. */
            text: string;
            /** @description Where the sentence begins in the text of the file, in UTF-16 units. */
            start: number;
            /** @description Where it ends. */
            end: number;
            /** @description The page on which the sentence begins. Without regions, the one on which its chunk begins. Null without pages. */
            page: number | null;
            /** @description Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells. */
            regions: {
              page: number;
              /** @description The left edge, as a share of the width of the page as it is shown. */
              x: number;
              /** @description The upper edge, as a share of the height. */
              y: number;
              width: number;
              height: number;
            }[];
          } | null;
        }[];
        /** @description How many statements of the chat model were left out, in whole or in part, because no source supports them. */
        omitted_statements: number;
        /** @description The chat model that wrote the answer. Null if sentences of the files are quoted. */
        model: string | null;
        /** @description The tokens that the chat model used, as its provider counts them, including those to rewrite the question. Null if it did not count, or was not asked. */
        usage: {
          prompt_tokens: number;
          completion_tokens: number;
        } | null;
        /** @description The question that was answered. Present if the chat model rewrote it, because there was a `history`. */
        rewritten_question?: string;
        /** @description The answer as a value, if it was asked for with `answer_format`. */
        json?: unknown;
        /** @description The strings and numbers of a JSON answer that no source contains, as JSON Pointers. Strings without words, true, false and null are not compared. */
        unsupported?: string[];
        /**
         * @description Present if the end is missing: the chat model reached the longest answer that it may write, or its provider withheld the rest.
         * @constant
         */
        truncated?: true;
        /** @constant */
        type: 'sources';
      }
    | {
        /** @constant */
        type: 'done';
      }
    | {
        /** @constant */
        type: 'error';
        error: string;
        code: string;
        requestId: string;
      };
  FileCreatedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'file.created';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      /**
       * @description The id of the file in your system. Null if it was given none.
       * @default null
       */
      external_id: string | null;
      /**
       * @description The metadata of the file. Null if the job failed before the file was read.
       * @default null
       */
      metadata: {
        [key: string]: string;
      } | null;
      file_id: string;
      /** @default null */
      job_id: string | null;
      space: string;
      filename: string;
      /** @default null */
      content_type: string | null;
      /** @default null */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The variants the event is about.
       * @default []
       */
      variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    };
  };
  FileDeletedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'file.deleted';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      /**
       * @description The id of the file in your system. Null if it was given none.
       * @default null
       */
      external_id: string | null;
      /**
       * @description The metadata of the file. Null if the job failed before the file was read.
       * @default null
       */
      metadata: {
        [key: string]: string;
      } | null;
      file_id: string;
      /** @default null */
      job_id: string | null;
      space: string;
      filename: string;
      /** @default null */
      content_type: string | null;
      /** @default null */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The variants the event is about.
       * @default []
       */
      variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    };
  };
  FileProcessingCompletedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'file.processing.completed';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      /**
       * @description The id of the file in your system. Null if it was given none.
       * @default null
       */
      external_id: string | null;
      /**
       * @description The metadata of the file. Null if the job failed before the file was read.
       * @default null
       */
      metadata: {
        [key: string]: string;
      } | null;
      file_id: string;
      /** @default null */
      job_id: string | null;
      space: string;
      filename: string;
      /** @default null */
      content_type: string | null;
      /** @default null */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The variants the event is about.
       * @default []
       */
      variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    };
  };
  FileProcessingFailedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'file.processing.failed';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      /**
       * @description The id of the file in your system. Null if it was given none.
       * @default null
       */
      external_id: string | null;
      /**
       * @description The metadata of the file. Null if the job failed before the file was read.
       * @default null
       */
      metadata: {
        [key: string]: string;
      } | null;
      file_id: string;
      /** @default null */
      job_id: string | null;
      space: string;
      filename: string;
      /** @default null */
      content_type: string | null;
      /** @default null */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The variants the event is about.
       * @default []
       */
      variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
      error: Schemas['JobError'];
    };
  };
  VariantReadyEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'variant.ready';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      /**
       * @description The id of the file in your system. Null if it was given none.
       * @default null
       */
      external_id: string | null;
      /**
       * @description The metadata of the file. Null if the job failed before the file was read.
       * @default null
       */
      metadata: {
        [key: string]: string;
      } | null;
      file_id: string;
      /** @default null */
      job_id: string | null;
      space: string;
      filename: string;
      /** @default null */
      content_type: string | null;
      /** @default null */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The variants the event is about.
       * @default []
       */
      variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    };
  };
  JobFailedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'job.failed';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      job_id: string;
      file_id: string;
      attempts: number;
      error: Schemas['JobError'];
    };
  };
  ConnectionSyncedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'connection.synced';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      connection_id: string;
      sync_id: string;
      files_added: number;
      files_updated: number;
      files_deleted: number;
    };
  };
  ConnectionSyncFailedEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'connection.sync.failed';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      connection_id: string;
      sync_id: string;
      files_added: number;
      files_updated: number;
      files_deleted: number;
      /** @default null */
      error: {
        code: string;
        message: string;
      } | null;
    };
  };
  WebhookDisabledEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'webhook.disabled';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      webhook_id: string;
      url: string;
      /** @enum {string} */
      reason: 'gone' | 'failing';
      failing_since: string | null;
    };
  };
  WebhookTestEvent: {
    /** @description The same for retries and replays, and in the `webhook-id` header. */
    id: string;
    /** @constant */
    type: 'webhook.test';
    /**
     * Format: date-time
     * @description The time at which the event occurred.
     */
    created_at: string;
    org_id: string;
    data: {
      webhook_id: string;
      message: string;
    };
  };
  ExtractionRequest: {
    /** @description The same when the request is repeated. */
    id: string;
    file: {
      /**
       * Format: uri
       * @description Signed. A GET returns the bytes.
       */
      url: string;
      /** @description Null if the bytes are in a connected bucket: get them within minutes. */
      url_expires_at: string | null;
      filename: string;
      content_type: string;
      size_bytes: number | null;
    };
    /** @description Null if this installation takes no results later: answer 200. */
    callback_url: string | null;
    /**
     * Format: date-time
     * @description A result that comes later is refused.
     */
    callback_deadline: string;
    options: {
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
      /** @description Of the markdown, in UTF-8. */
      output_bytes_max: number;
    };
  };
  UploadResponse:
    | Schemas['SignedUpload']
    | {
        id: string;
        space: string;
        filename: string;
        content_type: string | null;
        size_bytes: number | null;
        storage_key: string;
        /** @enum {string} */
        status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
        job_id: string | null;
        /**
         * @description The id of the file in your system. Null if it was given none.
         * @default null
         */
        external_id: string | null;
        /** @description SHA-256 of the bytes in lower-case hexadecimal. */
        sha256: string;
        /** @description With `wait`: why the job failed, or null. */
        error?: Schemas['JobError'] | null;
        /** @description With `wait`: the variants. Empty unless the job has completed. */
        variants?: Schemas['Variant'][];
      };
  BeginUploadResponse: {
    /** @description The id of the upload, and of the file that it creates. */
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number;
    storage_key: string;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** @description With `on_conflict=replace`: the id of the file whose content the upload will replace. Otherwise the file has the id of the upload. */
    file_id?: string;
    /** @description The size of every part but the last, which has the rest of the bytes. */
    part_bytes: number;
    part_count: number;
    /** @description UTC. An upload that is not completed by then fails. */
    expires_at: string;
  };
  GetUploadResponse: {
    /** @description The id of the upload, and of the file that it creates. */
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number;
    storage_key: string;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
    /** @description With `on_conflict=replace`: the id of the file whose content the upload will replace. Otherwise the file has the id of the upload. */
    file_id?: string;
    /** @description The size of every part but the last, which has the rest of the bytes. */
    part_bytes: number;
    part_count: number;
    /** @description UTC. An upload that is not completed by then fails. */
    expires_at: string;
    /** @description The parts that are stored, by their numbers. Empty once the upload has ended. */
    parts: {
      part_number: number;
      size_bytes: number;
      /** @description The tag of the part. Null on Azure, which has none. */
      etag: string | null;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  SignUploadPartsResponse: {
    parts: {
      part_number: number;
      /** @description The number of bytes to send. */
      size_bytes: number;
      /**
       * Format: uri
       * @description Send the bytes there with PUT. A part that is sent again replaces the earlier one.
       */
      url: string;
      /** @description The headers that the PUT must have. */
      headers: {
        [key: string]: string;
      };
    }[];
    /** @description The number of seconds until the URLs expire. Request new ones then. */
    expires_in: number;
  };
  CompleteUploadResponse: {
    id: string;
    space: string;
    filename: string;
    content_type: string | null;
    size_bytes: number | null;
    storage_key: string;
    /** @enum {string} */
    status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    job_id: string | null;
    /**
     * @description The id of the file in your system. Null if it was given none.
     * @default null
     */
    external_id: string | null;
  };
  AbortUploadResponse: {
    /** @constant */
    deleted: true;
  };
  ListFilesResponse: {
    files: Schemas['FileSummary'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  ListFileChunksResponse: {
    chunks: {
      /** @description The position of the chunk in its file, from 0. */
      index: number;
      text: string;
      /** @description Where the chunk begins in the markdown of the file, in UTF-16 units. */
      start: number;
      /** @description Where it ends. Chunks can overlap. */
      end: number;
      /** @description The page on which the chunk begins. Null without pages. */
      page: number | null;
      /**
       * @description Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells.
       * @default []
       */
      regions: {
        page: number;
        /** @description The left edge, as a share of the width of the page as it is shown. */
        x: number;
        /** @description The upper edge, as a share of the height. */
        y: number;
        width: number;
        height: number;
      }[];
      /** @description The headings above the chunk, the outermost first. */
      headings: string[];
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  DownloadFileResponse: {
    /**
     * Format: uri
     * @description A signed URL. The response suggests the filename.
     */
    url: string;
    /** @description The number of seconds until the URL expires. */
    expires_in: number;
  };
  DeleteFileResponse: {
    /** @constant */
    deleted: true;
  };
  DeleteFilesResponse: {
    /** @description The number of deleted files. An id that was sent twice counts once. */
    deleted: number;
    errors: {
      /** @description The id as the request has sent it. */
      file_id: string;
      /** @enum {string} */
      code:
        | 'BAD_REQUEST'
        | 'UNAUTHORIZED'
        | 'QUOTA_EXCEEDED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'CONFLICT'
        | 'EVENTS_EXPIRED'
        | 'PAYLOAD_TOO_LARGE'
        | 'BUCKET_UNAVAILABLE'
        | 'SOURCE_UNAVAILABLE'
        | 'RATE_LIMITED'
        | 'INTERNAL_ERROR'
        | 'UNAVAILABLE';
      message: string;
    }[];
    /** @description Whether more may be selected than the request has changed. Send it again to continue. */
    more?: boolean;
  };
  ListVariantsResponse: {
    variants: Schemas['Variant'][];
  };
  GetVariantContentResponse: string;
  /** Format: binary */
  GetPageImageResponse: string;
  ReceiveExtractionResultResponse: {
    accepted: boolean;
  };
  CreateFileResponse:
    | Schemas['SignedUpload']
    | {
        id: string;
        space: string;
        filename: string;
        content_type: string | null;
        size_bytes: number | null;
        storage_key: string;
        /** @enum {string} */
        status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
        job_id: string | null;
        /**
         * @description The id of the file in your system. Null if it was given none.
         * @default null
         */
        external_id: string | null;
        /** @description SHA-256 of the bytes in lower-case hexadecimal. */
        sha256: string;
        /** @description With `wait`: why the job failed, or null. */
        error?: Schemas['JobError'] | null;
        /** @description With `wait`: the variants. Empty unless the job has completed. */
        variants?: Schemas['Variant'][];
      };
  UploadBatchResponse: {
    batch_id: string;
    /** @description One element for each entry of the request, in the same order: an upload or an error. */
    files: (
      | {
          id: string;
          space: string;
          filename: string;
          content_type: string | null;
          size_bytes: number | null;
          storage_key: string;
          /** @enum {string} */
          status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
          job_id: string | null;
          /**
           * @description The id of the file in your system. Null if it was given none.
           * @default null
           */
          external_id: string | null;
          /** Format: uri */
          upload_url: string;
          /** @constant */
          upload_method: 'PUT';
          upload_headers: {
            [key: string]: string;
          };
          /** @description The number of seconds until the URL expires. */
          expires_in: number;
          /** @description The index of the entry in the request. */
          index: number;
        }
      | {
          /** @description The index of the entry in the request. */
          index: number;
          error: {
            /** @enum {string} */
            code:
              | 'BAD_REQUEST'
              | 'UNAUTHORIZED'
              | 'QUOTA_EXCEEDED'
              | 'FORBIDDEN'
              | 'NOT_FOUND'
              | 'METHOD_NOT_ALLOWED'
              | 'CONFLICT'
              | 'EVENTS_EXPIRED'
              | 'PAYLOAD_TOO_LARGE'
              | 'BUCKET_UNAVAILABLE'
              | 'SOURCE_UNAVAILABLE'
              | 'RATE_LIMITED'
              | 'INTERNAL_ERROR'
              | 'UNAVAILABLE';
            message: string;
          };
        }
    )[];
  };
  GetBatchResponse: {
    id: string;
    /** @description The number of files in the batch that have not been deleted. */
    total: number;
    /** @description The number of files that completed, or that were uploaded without processing. */
    completed: number;
    failed: number;
    /** @description The number of files whose job was cancelled. */
    cancelled: number;
    /** @description The number of all other files. The batch has ended when it is 0 and `rest` is `none`. */
    in_progress: number;
    /**
     * @description `follows` while files of a connection are still being added to the batch.
     * @default none
     * @enum {string}
     */
    rest: 'none' | 'follows';
    /** @description The first 1000 files. */
    files: {
      id: string;
      /** @enum {string} */
      status: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
    }[];
  };
  ProcessFileResponse: {
    job_id: string;
    file_id: string;
    /** @constant */
    status: 'queued';
  };
  ProcessBatchResponse: {
    batch_id: string;
    /** @description The number of files queued, each counted once. */
    queued: number;
    /** @description The jobs of the queued files, in the order of the request. */
    job_ids: string[];
    /**
     * @description With `connection_id`: the state of the files not queued yet. `follows`: they are being queued in the background. `quota_exceeded`: send the request again when pages are available.
     * @enum {string}
     */
    rest?: 'none' | 'follows' | 'quota_exceeded';
    errors: {
      /** @enum {string} */
      code:
        | 'BAD_REQUEST'
        | 'UNAUTHORIZED'
        | 'QUOTA_EXCEEDED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'CONFLICT'
        | 'EVENTS_EXPIRED'
        | 'PAYLOAD_TOO_LARGE'
        | 'BUCKET_UNAVAILABLE'
        | 'SOURCE_UNAVAILABLE'
        | 'RATE_LIMITED'
        | 'INTERNAL_ERROR'
        | 'UNAVAILABLE';
      message: string;
      file_id: string;
    }[];
    /** @description Whether more may be selected than the request has changed. Send it again to continue. */
    more?: boolean;
  };
  ListSpacesResponse: {
    spaces: {
      space: string;
      file_count: number;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  GetSpaceStatsResponse: {
    space: string;
    total_files: number;
    /** @description The sum of `size_bytes` of its files. */
    total_size_bytes: number;
    status_counts: {
      uploading: number;
      uploaded: number;
      processing: number;
      completed: number;
      failed: number;
    };
  };
  DeleteSpaceResponse: {
    /** @constant */
    deleted: true;
    files_deleted: number;
  };
  CancelJobsResponse: {
    /** @description The number of jobs that were changed. */
    changed: number;
    /** @description The jobs that were not changed, in the order of the request. */
    errors: {
      job_id: string;
      /** @enum {string} */
      code:
        | 'BAD_REQUEST'
        | 'UNAUTHORIZED'
        | 'QUOTA_EXCEEDED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'CONFLICT'
        | 'EVENTS_EXPIRED'
        | 'PAYLOAD_TOO_LARGE'
        | 'BUCKET_UNAVAILABLE'
        | 'SOURCE_UNAVAILABLE'
        | 'RATE_LIMITED'
        | 'INTERNAL_ERROR'
        | 'UNAVAILABLE';
      message: string;
    }[];
    /** @description Whether more may be selected than the request has changed. Send it again to continue. */
    more?: boolean;
  };
  ListJobsResponse: {
    jobs: Schemas['Job'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  CancelJobResponse: {
    id: string;
    /** @constant */
    status: 'cancelled';
  };
  RetryJobResponse: {
    id: string;
    /** @constant */
    status: 'queued';
  };
  SearchResponse: {
    results: Schemas['SearchResult'][];
    /** @description The number of matching files, beyond `limit` too, also with `group: "chunk"`. Exact, except for phrases of several words that many passages could contain: the texts of about 1,000 passages are checked, those of the best files first. Files that are not checked are not returned, but counted, so `total` is an upper bound then. By vector, all files with vectors that pass the filters are counted; in a hybrid search, those that text finds or that are among the 100 nearest (an upper bound if more than 100 chunks have words of the query). */
    total: number;
    query: string;
    /**
     * @description The mode that was used.
     * @enum {string}
     */
    mode: 'text' | 'vector' | 'hybrid';
    /** @description The parts that took part. */
    served?: ('text' | 'vector' | 'rerank')[];
    /** @description The parts that were asked for and did not take part, with the reason. `vector` can be here and in `served`: then vectors of some models were not searched. */
    not_served?: {
      /** @enum {string} */
      part: 'text' | 'vector' | 'rerank';
      /** @enum {string} */
      reason: 'not_configured' | 'no_vectors' | 'failed' | 'too_many_models';
      /** @description The cause, and how to remove it. */
      message: string;
    }[];
  };
  AnswerQuestionResponse: {
    /** @description Those that the answer cites, in the order of their numbers. Empty if the files do not answer the question. */
    sources: Schemas['AnswerSource'][];
    /** @description All citations, in the order in which they stand in the answer. */
    citations: {
      /** @description The number of the cited source. */
      citation: number;
      /** @description Where this `[n]` stands in the answer, or where the value begins in a JSON answer. In UTF-16 units. */
      position: number;
      /** @description The value of a JSON answer that the source supports, as a JSON Pointer (RFC 6901): `/parts/0/name`. */
      pointer?: string;
      /** @description The sentence that supports the statement before the citation. Null if they cannot be compared, because they are in different languages. */
      quote: {
        /** @description A sentence of the source, as plain text on one line. */
        text: string;
        /** @description Where the sentence begins in the text of the file, in UTF-16 units. */
        start: number;
        /** @description Where it ends. */
        end: number;
        /** @description The page on which the sentence begins. Without regions, the one on which its chunk begins. Null without pages. */
        page: number | null;
        /** @description Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells. */
        regions: {
          page: number;
          /** @description The left edge, as a share of the width of the page as it is shown. */
          x: number;
          /** @description The upper edge, as a share of the height. */
          y: number;
          width: number;
          height: number;
        }[];
      } | null;
    }[];
    /** @description How many statements of the chat model were left out, in whole or in part, because no source supports them. */
    omitted_statements: number;
    /** @description The chat model that wrote the answer. Null if sentences of the files are quoted. */
    model: string | null;
    /** @description The tokens that the chat model used, as its provider counts them, including those to rewrite the question. Null if it did not count, or was not asked. */
    usage: {
      prompt_tokens: number;
      completion_tokens: number;
    } | null;
    /** @description The question that was answered. Present if the chat model rewrote it, because there was a `history`. */
    rewritten_question?: string;
    /** @description The answer as a value, if it was asked for with `answer_format`. */
    json?: unknown;
    /** @description The strings and numbers of a JSON answer that no source contains, as JSON Pointers. Strings without words, true, false and null are not compared. */
    unsupported?: string[];
    /**
     * @description Present if the end is missing: the chat model reached the longest answer that it may write, or its provider withheld the rest.
     * @constant
     */
    truncated?: true;
    /** @description Plain text. `[n]` cites the source with that `citation`. */
    answer: string;
    question: string;
  };
  GetCapabilitiesResponse: {
    /** @description Whether an engine reads documents. */
    documents: boolean;
    /** @description Whether an engine reads text in images and scans. */
    images: boolean;
    /** @description Whether an engine transcribes speech. */
    audio: boolean;
    /** @description Whether new files get embeddings, by which searches find their meaning. */
    embeddings: boolean;
    /** @description Whether searches with `rerank` are scored by a model. */
    reranking: boolean;
    /** @description The models that write answers, the default first. Without one, answers are sentences of the files. */
    chat_models: string[];
  };
  GetSettingsResponse: {
    default_embedding_model: string;
    default_chunking: {
      /** @enum {string} */
      strategy: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size: number;
      chunk_overlap: number;
    };
    default_variants: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    /**
     * @description The language in which searches match words in all their forms. `auto` uses the language detected in each file. `none` matches words as they are written, as `auto` does for other languages.
     * @enum {string}
     */
    search_language:
      | 'danish'
      | 'dutch'
      | 'english'
      | 'finnish'
      | 'french'
      | 'german'
      | 'hungarian'
      | 'italian'
      | 'norwegian'
      | 'portuguese'
      | 'romanian'
      | 'russian'
      | 'spanish'
      | 'swedish'
      | 'none'
      | 'auto';
    /**
     * @description What each answer of a chat model should be like, in plain words. Null: no wishes.
     * @default null
     */
    answer_instructions: string | null;
  };
  GetRoutingRulesResponse: {
    /** @description The order does not matter. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one. */
    rules: {
      content_type: string;
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    }[];
  };
  GetBrandingResponse: {
    /** @description The name that the portal shows. */
    name: string | null;
    /** @description The colour of buttons and links. */
    color: string | null;
    /** @description The logo as a data: URI. Show it as an image, never as markup. */
    logo: string | null;
  };
  GetPortalSettingsResponse: {
    /** @description The origins whose pages may show the portal in a frame. While the list is empty, none may. */
    frame_ancestors: string[];
  };
  GetUsageResponse: {
    /** @description The month, in UTC. */
    period: string;
    /** @description The pages of completed jobs. Pages processed with the organization's own provider key count at 0.6. */
    pages_used: number;
    /** @description Null if the plan has no limit. */
    pages_limit: number | null;
    plan: string;
    /** @description The pages used beyond `pages_limit`. */
    overage_pages: number;
  };
  ListProviderKeysResponse: {
    provider_keys: Schemas['SetProviderKeyResponse'][];
  };
  SetProviderKeyResponse: {
    /** @enum {string} */
    provider: 'document_extractor' | 'image_extractor' | 'audio_extractor' | 'embedding' | 'chat';
    /** @description The last four characters of the key, after `…`. */
    key_preview: string;
    /** @description Your own extractor. Null if the key is for the usual provider. */
    url: string | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
  };
  TestProviderKeyResponse: {
    /** @description Whether the provider accepted the key and answered. */
    ok: boolean;
    duration_ms: number;
    /** @description Null if `ok` is true. */
    error: {
      /** @enum {string} */
      code: 'provider_unauthorized' | 'provider_unavailable' | 'timeout';
      message: string;
    } | null;
  };
  DeleteProviderKeyResponse: {
    /** @constant */
    deleted: true;
  };
  ListApiKeysResponse: {
    api_keys: Schemas['ApiKey'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  DeleteApiKeyResponse: {
    /** @constant */
    deleted: true;
  };
  ExchangeSignInCodeResponse: {
    id: string;
    /** @description The secret of an API key. It is returned only in this response. */
    key: string;
    org_id: string;
    /** @description UTC. */
    expires_at: string;
  };
  ListPortalTokensResponse: {
    tokens: {
      /** @description The first characters of the secret. They name the token where it is revoked. */
      prefix: string;
      space: string;
      /** @description UTC. */
      created_at: string;
      /** @description UTC. */
      expires_at: string;
      /** @description The key that created the token, which ends with it. Null for a bearer token. */
      key_id: string | null;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  VerifyPortalTokenResponse: {
    valid: boolean;
    space: string | null;
    expires_at: string | null;
  };
  ListPortalVariantsResponse: {
    variants: Schemas['Variant'][];
  };
  VerifyConnectionResponse: {
    id: string;
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    name: string;
    bucket: string;
    region: string | null;
    prefix: string | null;
    /**
     * @description `sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once.
     * @enum {string}
     */
    listing_order?: 'sorted' | 'unsorted';
    /** @description Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false. */
    auto_process?: boolean;
    /**
     * @description What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result.
     * @enum {string}
     */
    on_change?: 'reprocess' | 'ignore';
    /** @description Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters. */
    include?: string[];
    /** @description Leave out objects whose key matches one of these patterns. */
    exclude?: string[];
    /** @description The smallest size to select, in bytes. */
    min_size?: number | null;
    /** @description The largest size to select, in bytes. */
    max_size?: number | null;
    /** @description Select only objects that were modified later. Null: objects of any age. */
    modified_after?: string | null;
    /** @description Select only objects of these types, by the extension of their name. `image/*` selects all images. */
    content_types?: string[];
    /** @description Select only objects of these storage classes. An object without one is `STANDARD`. */
    storage_classes?: string[];
    /**
     * @description What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants.
     * @enum {string}
     */
    on_delete?: 'delete' | 'keep';
    space?: string;
    /** @description Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request. */
    sync_interval_minutes?: number | null;
    /** @description Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false. */
    paused?: boolean;
    notifications?: {
      /**
       * @description `sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.
       * @enum {string}
       */
      type: 'sqs' | 'pubsub' | 'storage_queue';
      queue: string;
      /**
       * @description `failing`: the queue, or an object that it names, cannot be read. Kiln tries again.
       * @enum {string}
       */
      status: 'active' | 'failing';
      /** @description Why the queue cannot be used. */
      error: {
        /** @enum {string} */
        code:
          | 'credentials_missing'
          | 'access_denied'
          | 'bucket_not_found'
          | 'queue_not_found'
          | 'endpoint_not_allowed'
          | 'unreachable'
          | 'timeout'
          | 'not_configured'
          | 'refused'
          | 'object_archived'
          | 'listing_incomplete'
          | 'too_many_deletions'
          | 'too_many_objects'
          | 'internal';
        message: string;
      } | null;
      /** @description When the last message was received. Null before the first. */
      last_received_at: string | null;
    } | null;
    inventory?: {
      bucket: string;
      prefix: string;
      max_age_hours: number;
    } | null;
    /** @description When the next scheduled sync starts; a time in the past means at once. Null without a schedule, and while it is paused. */
    next_sync_at?: string | null;
    /** @description The type of the stored credentials. Null if there are none. */
    auth_type: ('role_assumption' | 'service_account' | 'service_principal' | 'access_key') | null;
    /**
     * @description `pending`: no test or sync has succeeded yet. `error`: the last test or sync failed.
     * @enum {string}
     */
    status: 'pending' | 'active' | 'error';
    /** @description Why the last test or sync failed. */
    error: {
      /** @enum {string} */
      code:
        | 'credentials_missing'
        | 'access_denied'
        | 'bucket_not_found'
        | 'queue_not_found'
        | 'endpoint_not_allowed'
        | 'unreachable'
        | 'timeout'
        | 'not_configured'
        | 'refused'
        | 'object_archived'
        | 'listing_incomplete'
        | 'too_many_deletions'
        | 'too_many_objects'
        | 'internal';
      message: string;
    } | null;
    /** @description UTC. */
    created_at: string;
    /** @description UTC. */
    updated_at: string;
    /** @constant */
    verified: true;
  };
  StartConnectionResponse: {
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    /** @enum {string} */
    auth_type: 'role_assumption' | 'service_account' | 'service_principal' | 'access_key';
    instructions: {
      /** @description S3: the role that yours must trust. */
      role_arn?: string;
      /** @description S3: the same for all connections of the organization. */
      external_id?: string;
      /** @description Google Cloud Storage without a key: the issuer of tokens that the provider of your identity pool must trust. */
      issuer?: string;
      /** @description The same for all connections of the organization: the subject of these tokens. */
      subject?: string;
      /** @description The public keys of the issuer, for the provider of your identity pool. */
      jwks?: {
        keys: {
          [key: string]: string;
        }[];
      };
      steps: string[];
      /** @description The required fields of `credentials`. */
      required_fields: string[];
    };
  };
  ListConnectionBucketsResponse: {
    /** @description At most the first 5,000 buckets. */
    buckets: {
      name: string;
      region: string | null;
    }[];
  };
  ListConnectionProvidersResponse: {
    providers: {
      /** @enum {string} */
      id:
        | 's3'
        | 'gcs'
        | 'container_blob'
        | 'r2'
        | 'selfhost_s3'
        | 'b2'
        | 'spaces_store'
        | 'hot_store'
        | 'backend_storage';
      name: string;
      /** @enum {string} */
      auth_type: 'role_assumption' | 'service_account' | 'service_principal' | 'access_key';
      /** @description All authentication types that the provider accepts. */
      auth_types: ('role_assumption' | 'service_account' | 'service_principal' | 'access_key')[];
    }[];
  };
  ListConnectionsResponse: {
    connections: Schemas['Connection'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  DeleteConnectionResponse: {
    /** @constant */
    deleted: true;
  };
  TestConnectionResponse: {
    success: boolean;
    /** @enum {string} */
    status: 'pending' | 'active' | 'error';
    /** @description Why the test failed. */
    error: {
      /** @enum {string} */
      code:
        | 'credentials_missing'
        | 'access_denied'
        | 'bucket_not_found'
        | 'queue_not_found'
        | 'endpoint_not_allowed'
        | 'unreachable'
        | 'timeout'
        | 'not_configured'
        | 'refused'
        | 'object_archived'
        | 'listing_incomplete'
        | 'too_many_deletions'
        | 'too_many_objects'
        | 'internal';
      message: string;
    } | null;
  };
  BrowseConnectionResponse: {
    objects: {
      key: string;
      size_bytes: number;
      etag: string;
      /** @description UTC. */
      last_modified: string;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  PreviewSyncResponse: {
    new_files: number;
    updated_files: number;
    /** @description Zero if `complete` is false. */
    deleted_files: number;
    /** @description The number of objects that a sync would hand to automatic processing. */
    queued_files?: number;
    /** @description The number of objects listed that the rules of the connection leave out. */
    excluded_files?: number;
    /** @description The total size of the objects listed. */
    total_size_bytes: number;
    /** @description False if the bucket was too large to be listed within the time of the request. */
    complete: boolean;
  };
  GetSyncProgressResponse: {
    /**
     * @description The status of the newest sync. `pending` before the first sync too.
     * @enum {string}
     */
    status: 'pending' | 'syncing' | 'completed' | 'failed' | 'cancelled';
    synced: number;
    /** @description The number of objects counted by the last complete sync. Null before the first. */
    total: number | null;
    percent: number;
    eta_seconds: number | null;
    started_at: string | null;
  };
  ListSyncsResponse: {
    syncs: Schemas['Sync'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  InitNodeUploadResponse: {
    node_id: string;
    /** Format: uri */
    upload_url: string;
    /** @constant */
    upload_method: 'PUT';
    upload_headers: {
      [key: string]: string;
    };
    /** @description Seconds until the URL expires. */
    expires_in: number;
  };
  CommitNodeUploadResponse: {
    node_id: string;
    file_id: string;
    job_id: string;
    /**
     * @description Of the job. Not `queued` when the upload was committed before.
     * @enum {string}
     */
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  };
  ListNodesResponse: {
    nodes: Schemas['Node'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  ListChildrenResponse: {
    nodes: {
      id: string;
      /** @enum {string} */
      type: 'file' | 'folder';
      name: string;
      /** @description Null for a folder. */
      size_bytes: number | null;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  DeleteNodeResponse: {
    /** @constant */
    deleted: true;
  };
  ListWebhooksResponse: {
    webhooks: Schemas['Webhook'][];
    /**
     * @description Null on the last page.
     * @default null
     */
    next_cursor: string | null;
  };
  ListWebhookEventTypesResponse: {
    event_types: {
      /** @enum {string} */
      type:
        | 'file.created'
        | 'file.deleted'
        | 'file.processing.completed'
        | 'file.processing.failed'
        | 'variant.ready'
        | 'job.failed'
        | 'connection.synced'
        | 'connection.sync.failed'
        | 'webhook.disabled'
        | 'webhook.test';
      /** @description When the event is sent. */
      description: string;
      /** @description The JSON Schema of the body of a delivery. */
      schema: {
        [key: string]: unknown;
      };
    }[];
  };
  DeleteWebhookResponse: {
    /** @constant */
    deleted: true;
  };
  RotateWebhookSecretResponse: {
    id: string;
    /** @description `whsec_` followed by 32 bytes in base64. It is returned only in this response. */
    secret: string;
    previous_secret_expires_at: string | null;
  };
  ReplayWebhookResponse: {
    /** @description The number of events that are being delivered again in the background. */
    replayed: number;
    /** @description The number of events in the window whose type was not requested. */
    skipped: number;
  };
  RecoverWebhookResponse: {
    /** @description The number of undelivered events that are being delivered in the background. */
    recovered: number;
  };
  ListDeliveriesResponse: {
    deliveries: Schemas['Delivery'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  GetDeliveryResponse: {
    id: string;
    event_id: string;
    /** @enum {string} */
    event_type:
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | 'webhook.test';
    /** @enum {string} */
    status: 'pending' | 'delivered' | 'failed';
    /** @description The number of attempts started so far. */
    attempt: number;
    status_code: number | null;
    /** @description The time of the last attempt. */
    attempted_at: string | null;
    duration_ms: number | null;
    error: string | null;
    /** @description The first 1 KiB of the last response. */
    response_body: string | null;
    /** @description Null if the delivery has succeeded or failed. */
    next_attempt_at: string | null;
    /** @description UTC. */
    created_at: string;
    /**
     * @description The body that is sent. Null when the event is no longer kept.
     * @default null
     */
    payload: {
      [key: string]: unknown;
    } | null;
    attempts: {
      /** @description Counted from 1. */
      attempt: number;
      /** @description UTC. */
      attempted_at: string;
      /** @description Null if there was no response. */
      status_code: number | null;
      duration_ms: number | null;
      /** @description Why the attempt failed. */
      error: string | null;
      /** @description The first 1 KiB of the response. */
      response_body: string | null;
    }[];
  };
  GetWebhookEventResponse: {
    /** @description The same as `id` in the payload and the `webhook-id` header. */
    id: string;
    /** @enum {string} */
    type:
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | 'webhook.test';
    webhook_id: string;
    delivered: boolean;
    /** @description UTC. */
    created_at: string;
    /**
     * @description The body that is sent. Null when the event is no longer kept.
     * @default null
     */
    payload: {
      [key: string]: unknown;
    } | null;
  };
  ListWebhookEventsResponse: {
    events: Schemas['WebhookEvent'][];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  StreamEventsResponse:
    | Schemas['FileCreatedEvent']
    | Schemas['FileDeletedEvent']
    | Schemas['FileProcessingCompletedEvent']
    | Schemas['FileProcessingFailedEvent']
    | Schemas['VariantReadyEvent']
    | Schemas['JobFailedEvent']
    | Schemas['ConnectionSyncedEvent']
    | Schemas['ConnectionSyncFailedEvent']
    | Schemas['WebhookDisabledEvent']
    | {
        /** @constant */
        type: 'job.progress';
        /** Format: date-time */
        created_at: string;
        org_id: string;
        data: {
          job_id: string;
          file_id: string;
          space: string;
          /**
           * @description The step that is running.
           * @enum {string}
           */
          step: 'extract' | 'metadata' | 'thumbnails' | 'embed' | 'index' | 'finish';
          /** @description The share of the steps before it, as in `GET /v1/jobs/:id`. */
          progress: number;
        };
      };
  GetOverviewResponse: {
    total_files: number;
    total_jobs: number;
    total_variants: number;
    total_connections: number;
    /** @description Completed jobs / (completed jobs + failed jobs). 0 if there are none. */
    success_rate: number;
    files_by_status: {
      [key: string]: number;
    };
  };
  GetFileTypesResponse: {
    types: {
      /** @description `application/octet-stream` for files whose type is not known. */
      content_type: string;
      count: number;
      total_bytes: number;
    }[];
  };
  GetSpaceHealthResponse: {
    spaces: {
      space: string;
      file_count: number;
      /** @description Files in status `completed`. */
      completed: number;
      /** @description Files in status `failed`. */
      failed: number;
      /** @description Completed files / (completed + failed). 0 if there are none. */
      success_rate: number;
      /** @description The percentage of the files of the space that have not failed, rounded down. */
      health_score: number;
    }[];
  };
  GetProcessingResponse: {
    /** @description The duration that 50 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
    p50_ms: number;
    /** @description The duration that 95 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
    p95_ms: number;
    /** @description The duration that 99 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
    p99_ms: number;
    by_provider: {
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
      avg_ms: number;
      count: number;
    }[];
  };
  GetDailyTimesResponse: {
    data: {
      /**
       * Format: date
       * @description A day in UTC.
       */
      date: string;
      /** @description The duration that 50 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
      p50_ms: number;
      /** @description The duration that 95 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
      p95_ms: number;
      /** @description The duration that 99 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none. */
      p99_ms: number;
      /** @description Times a job completed. */
      runs: number;
    }[];
  };
  GetProvidersResponse: {
    providers: {
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
      /** @description Times a job of this provider completed or failed. */
      total_jobs: number;
      success_rate: number;
      /** @description The mean duration of the runs that completed a job. */
      avg_ms: number;
    }[];
  };
  GetVolumeResponse: {
    data: {
      /**
       * Format: date
       * @description A day in UTC.
       */
      date: string;
      /** @description Files added. */
      uploads: number;
      uploaded_bytes: number;
      /** @description Times a job completed. */
      processed: number;
      /** @description Times a job failed. */
      failed: number;
    }[];
  };
  GetTrendsResponse: {
    data: {
      /**
       * Format: date
       * @description A day in UTC.
       */
      date: string;
      /** @description Files added. */
      uploads: number;
      /** @description Times a job completed. */
      completed: number;
      /** @description Times a job failed. */
      failed: number;
    }[];
  };
  GetStorageGrowthResponse: {
    data: {
      /**
       * Format: date
       * @description A day in UTC.
       */
      date: string;
      /** @description Bytes of all files at the end of the day. */
      total_bytes: number;
      /** @description The bytes of the files added minus those of the files deleted. */
      delta_bytes: number;
    }[];
  };
  ListFailuresResponse: {
    failures: {
      job_id: string;
      file_id: string;
      filename: string;
      /** @description Null if no provider reads the type of the file. */
      provider: ('document_extractor' | 'image_extractor' | 'audio_extractor') | null;
      /**
       * @description The error code of the job.
       * @enum {string}
       */
      reason:
        | 'unsupported_type'
        | 'corrupt_file'
        | 'encrypted_file'
        | 'file_too_large'
        | 'provider_unauthorized'
        | 'provider_unavailable'
        | 'upload_expired'
        | 'quota_exceeded'
        | 'timeout'
        | 'internal';
      message: string;
      /** @description UTC. */
      failed_at: string;
    }[];
  };
  ListTopFailuresResponse: {
    failures: {
      /**
       * @description The error code of the job.
       * @enum {string}
       */
      reason:
        | 'unsupported_type'
        | 'corrupt_file'
        | 'encrypted_file'
        | 'file_too_large'
        | 'provider_unauthorized'
        | 'provider_unavailable'
        | 'upload_expired'
        | 'quota_exceeded'
        | 'timeout'
        | 'internal';
      /** @description Times a job failed for this reason. */
      count: number;
      /** @description UTC. */
      last_seen: string;
    }[];
  };
  ListRequestsResponse: {
    logs: {
      id: string;
      method: string;
      /** @description Without the query. A secret in the path is replaced by its name. */
      path: string;
      /** @description The HTTP status of the response. */
      status: number;
      /** @enum {string} */
      auth_type: 'api_key' | 'jwt';
      /** @description The name of the API key, or the subject of the bearer token. */
      key_name: string;
      duration_ms: number;
      /** @description The `X-Request-Id` of the response. */
      request_id: string;
      /** @description UTC. */
      created_at: string;
    }[];
    /** @description Null on the last page. */
    next_cursor: string | null;
  };
  GetLivenessResponse: {
    /** @constant */
    status: 'ok';
  };
  GetReadinessResponse: {
    ready: boolean;
    /** @enum {string} */
    state: 'starting' | 'ready' | 'stopping';
    /** @description The state of each dependency: `ok`, or a description of the fault. */
    checks: {
      [key: string]: string;
    };
  };
  GetOpenApiResponse: {
    openapi: string;
  } & {
    [key: string]: unknown;
  };
  GetDocsResponse: string;
  GetDocsAssetResponse: string;
  SearchRequest: {
    /**
     * @description Words to find. A file with some of them is found, one with more of them ranks higher.
     *
     *     - `"two words"`: a phrase that must occur. One passage of the file, or its title and filename, has the words next to each other and in this order. Words match in all their forms, stop words as they are written. Typographic quotes count as well.
     *     - `-word` and `-"two words"` exclude files that contain the word or phrase, in any passage or the title. A minus excludes at the start of a word only: `state-of-the-art`, `a - b` and `--x` exclude nothing. `-5` excludes the number 5.
     *
     *     Words joined by a hyphen, and words of letters and digits, are found in each spelling: `email` and `e-mail`, `iPhone 15` and `iPhone15`.
     *
     *     A quote after a digit, or without a second quote, is punctuation. In a query of more than 32 other words, which is a text rather than an expression, all quotes and minuses are punctuation. A query has at most 20 phrases and exclusions. One of exclusions or stop words only finds nothing.
     */
    query: string;
    /**
     * @description `text`: by the words of the query. `vector`: by the similarity of its meaning, which requires an embedding provider. `hybrid`: by both; by text when there is no provider, no vectors, or no answer of the provider in time.
     * @default hybrid
     * @enum {string}
     */
    mode?: 'text' | 'vector' | 'hybrid';
    space?: string;
    content_type?: string;
    metadata?: {
      [key: string]: string;
    };
    /**
     * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
     *
     *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
     *
     *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
     */
    filter?: {
      [key: string]: unknown;
    };
    /** @default 20 */
    limit?: number;
    /**
     * @description `file`: one result per file, with its best chunk. `chunk`: the best chunks, possibly several of one file.
     * @default file
     * @enum {string}
     */
    group?: 'file' | 'chunk';
    /** @description The most chunks of one file. Requires `group: "chunk"`. */
    max_per_file?: number;
    /** @description The share of meaning in the score. Requires the mode `hybrid`. */
    hybrid?: {
      /** @description From 0, text only, to 1, meaning only. */
      weight: number;
    };
    /** @description Prefers newer files: a share of the score halves with each half-life since the upload. */
    recency?: {
      /** @description After this time, `weight` has halved. */
      half_life_days: number;
      /**
       * @description The share of the score that fades.
       * @default 0.5
       */
      weight?: number;
    };
    /**
     * @description Whether a reranking model orders the best 50 results anew. `not_served` says when it did not.
     * @default false
     */
    rerank?: boolean;
  };
  QuestionRequest: {
    /** @description A question in plain words. Quotes and minuses have no special meaning. */
    question: string;
    /** @description Answers from the files of this space. Default: all spaces. */
    space?: string;
    /** @description Answers from the files of this type. */
    content_type?: string;
    /** @description Answers from the files that have all of these metadata, with these values. */
    metadata?: {
      [key: string]: string;
    };
    /**
     * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
     *
     *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
     *
     *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
     */
    filter?: {
      [key: string]: unknown;
    };
    /** @description The conversation before the question, the oldest message first. A chat model rewrites the question so that it can be understood alone. Without a chat model it has no effect. */
    history?: {
      /** @enum {string} */
      role: 'user' | 'assistant';
      content: string;
    }[];
    /** @description One of the chat models that the operator offers. Default: the first one. Another name is an error that lists them. */
    model?: string;
    /** @description The longest answer of the chat model, in its tokens. The limit of the operator applies as well. */
    max_tokens?: number;
    /** @description Asks for an answer in JSON. `answer` is then its text and `json` its value, which matches the schema, or null if the files do not answer the question. Requires a chat model. */
    answer_format?: {
      /** @constant */
      type: 'json';
      /** @description A JSON Schema of type `object`, at most 16,000 characters long. Keywords: `type`, `properties`, `required`, `additionalProperties` (true or false), `items`, `anyOf`, `enum`, `const`, `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `title`, `description`. */
      schema: {
        [key: string]: unknown;
      };
    };
    /** @description At most this many passages are given to the answer. Default 5. */
    top_k?: number;
    /** @description An alias of `top_k`. */
    topK?: number;
    /**
     * @description Whether the answer is sent as server-sent events while it is written.
     * @default false
     */
    stream?: boolean;
  };
  UploadRequest: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    filename: string;
    /** @description Default: `default`. If the upload replaces the content of a file, the default is the space of that file. */
    space?: string;
    content_type?: string;
    size_bytes?: number;
    /** @default false */
    skip_processing?: boolean;
    /** @description Default: none. If the upload replaces the content of a file, the default is the metadata of that file. */
    metadata?: {
      [key: string]: string;
    };
    /** @description The id of the file in your system. No two files of the organization have the same one. */
    external_id?: string;
    /**
     * @description What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again.
     * @enum {string}
     */
    on_conflict?: 'fail' | 'replace';
  };
  UploadForm: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    filename?: string;
    /** @description Default: `default`. If the upload replaces the content of a file, the default is the space of that file. */
    space?: string;
    content_type?: string;
    size_bytes?: number;
    /** @default false */
    skip_processing?: boolean;
    /** @description Default: none. If the upload replaces the content of a file, the default is the metadata of that file. */
    metadata?: {
      [key: string]: string;
    };
    /** @description The id of the file in your system. No two files of the organization have the same one. */
    external_id?: string;
    /**
     * @description What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again.
     * @enum {string}
     */
    on_conflict?: 'fail' | 'replace';
    /**
     * Format: binary
     * @description The bytes of the file. They are streamed to storage. Other fields can come before or after it.
     */
    file: string;
  };
  BeginUploadRequest: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    filename: string;
    /** @description Default: `default`. If the upload replaces the content of a file, the default is the space of that file. */
    space?: string;
    content_type?: string;
    /** @description The size of the file. */
    size_bytes: number;
    /** @default false */
    skip_processing?: boolean;
    /** @description Default: none. If the upload replaces the content of a file, the default is the metadata of that file. */
    metadata?: {
      [key: string]: string;
    };
    /** @description The id of the file in your system. No two files of the organization have the same one. */
    external_id?: string;
    /**
     * @description What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again.
     * @enum {string}
     */
    on_conflict?: 'fail' | 'replace';
    /** @description The size of every part but the last, which has the rest of the bytes. Default: 16777216, or more if the file would have more than 10000 parts. */
    part_bytes?: number;
  };
  SignUploadPartsRequest: {
    part_numbers: number[];
  };
  CompleteUploadRequest: {
    /** @description The ETag headers that the object store has returned. The parts that are named must still have these tags. */
    parts?: {
      part_number: number;
      etag: string;
    }[];
  };
  UpdateFileRequest: {
    filename?: string;
    /** @description Moves the file to this space, which is created if necessary. */
    space?: string;
    /** @description The keys to set. A key with null is removed; all other keys stay. */
    metadata?: {
      [key: string]: string | null;
    };
    /** @description The id of the file in your system, unique in the organization. Null removes it. */
    external_id?: string | null;
  };
  DeleteFilesRequest: {
    file_ids?: string[];
    /** @description Files that fulfil all these conditions, as a list has them, newest first. */
    selection?: {
      space?: string;
      /** @enum {string} */
      status?: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
      metadata?: {
        [key: string]: string;
      };
      /** @description The id of the file in your system. No two files of the organization have the same one. */
      external_id?: string;
      /** @description Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched. */
      search?: string;
      /**
       * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
       *
       *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
       *
       *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
       */
      filter?: {
        [key: string]: unknown;
      };
    };
  };
  ReceiveExtractionResultRequest: {
    /** @description The whole text, for a file without pages. */
    markdown?: string;
    /** @description Instead: its pages, in order. */
    pages?: {
      markdown: string;
    }[];
    title?: string | null;
    author?: string | null;
    language?: string | null;
    /** @description Instead of text: why the file cannot be read, for its owner. */
    error?: {
      /** @enum {string} */
      code: 'unsupported_type' | 'corrupt_file' | 'encrypted_file' | 'file_too_large';
      message: string;
    };
  };
  CreateFileRequest: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    /** @description Required, except with `url`: the default is the last part of its path. */
    filename?: string;
    /** @description Default: `default`. If the upload replaces the content of a file, the default is the space of that file. */
    space?: string;
    content_type?: string;
    size_bytes?: number;
    /** @description Default: none. If the upload replaces the content of a file, the default is the metadata of that file. */
    metadata?: {
      [key: string]: string;
    };
    /** @description The id of the file in your system. No two files of the organization have the same one. */
    external_id?: string;
    /**
     * @description What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again.
     * @enum {string}
     */
    on_conflict?: 'fail' | 'replace';
    /** @description The text of the file, which is stored as UTF-8. */
    content?: string;
    /**
     * Format: uri
     * @description Where Kiln downloads the bytes of the file from, with GET and without credentials.
     */
    url?: string;
  };
  UploadBatchRequest: {
    files: (unknown | Schemas['UploadRequest'])[];
  };
  ProcessFileRequest: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
  };
  ProcessBatchRequest: {
    /** @enum {string} */
    provider?: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    embedding_model?: string;
    /** @description Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size. */
    chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    file_ids?: string[];
    connection_id?: string;
    /** @description Files that fulfil all these conditions, as a list has them, newest first. */
    selection?: {
      space?: string;
      /** @enum {string} */
      status?: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
      metadata?: {
        [key: string]: string;
      };
      /** @description The id of the file in your system. No two files of the organization have the same one. */
      external_id?: string;
      /** @description Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched. */
      search?: string;
      /**
       * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
       *
       *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
       *
       *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
       */
      filter?: {
        [key: string]: unknown;
      };
    };
  };
  CancelJobsRequest: {
    job_ids?: string[];
    /** @description Jobs that fulfil all these conditions, newest first. */
    selection?: {
      space?: string;
      file_id?: string;
      batch_id?: string;
      /** @description Only jobs that were created at or after this time. */
      since?: string;
    };
  };
  UpdateSettingsRequest: {
    default_embedding_model?: string;
    /** @description Replaced as a whole. Omitted fields have the standard values. */
    default_chunking?: {
      /** @enum {string} */
      strategy?: 'recursive' | 'markdown' | 'sentence' | 'fixed';
      chunk_size?: number;
      chunk_overlap?: number;
    };
    /** @description The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped. */
    default_variants?: ('markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout')[];
    /**
     * @description The language in which searches match words in all their forms. `auto` uses the language detected in each file. `none` matches words as they are written, as `auto` does for other languages.
     * @enum {string}
     */
    search_language?:
      | 'danish'
      | 'dutch'
      | 'english'
      | 'finnish'
      | 'french'
      | 'german'
      | 'hungarian'
      | 'italian'
      | 'norwegian'
      | 'portuguese'
      | 'romanian'
      | 'russian'
      | 'spanish'
      | 'swedish'
      | 'none'
      | 'auto';
    /** @description What each answer of a chat model should be like, in plain words. Null: no wishes. */
    answer_instructions?: string | null;
  };
  SetRoutingRulesRequest: {
    /** @description The order does not matter. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one. */
    rules: {
      content_type: string;
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor';
    }[];
  };
  UpdateBrandingRequest: {
    /** @description The name that the portal shows. */
    name?: string | null;
    /** @description The colour of buttons and links. */
    color?: string | null;
    /** @description The logo as a data: URI. Show it as an image, never as markup. */
    logo?: string | null;
  };
  UpdatePortalSettingsRequest: {
    /** @description The origins whose pages may show the portal in a frame. While the list is empty, none may. */
    frame_ancestors?: string[];
  };
  SetProviderKeyRequest: {
    /** @enum {string} */
    provider: 'document_extractor' | 'image_extractor' | 'audio_extractor' | 'embedding' | 'chat';
    key: string;
    /** @description The URL of your own extractor. Files are sent there, signed with `key`, which is then a secret of the form `whsec_…`. See docs/own-extractor.md. */
    url?: string | null;
  };
  CreateApiKeyRequest: {
    name: string;
    /**
     * @default [
     *       "*"
     *     ]
     */
    scopes?: (
      | 'files:read'
      | 'files:write'
      | 'jobs:read'
      | 'jobs:write'
      | 'connections:read'
      | 'connections:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'search:read'
      | 'analytics:read'
      | 'org:read'
      | 'org:write'
      | 'keys:read'
      | 'keys:write'
      | 'portal:write'
      | 'logs:read'
      | '*'
    )[];
    /**
     * @description Test keys have access to test data only.
     * @default live
     * @enum {string}
     */
    mode?: 'live' | 'test';
    /** @description The expiry time, in the future. If null or omitted, the key does not expire. */
    expires_at?: string | null;
  };
  ExchangeSignInCodeRequest: {
    /** @description The code of a sign-in link. */
    code: string;
  };
  CreatePortalTokenRequest: {
    space: string;
    /** @default 3600 */
    ttl?: number;
  };
  SearchPortalRequest: {
    /**
     * @description Words to find. A file with some of them is found, one with more of them ranks higher.
     *
     *     - `"two words"`: a phrase that must occur. One passage of the file, or its title and filename, has the words next to each other and in this order. Words match in all their forms, stop words as they are written. Typographic quotes count as well.
     *     - `-word` and `-"two words"` exclude files that contain the word or phrase, in any passage or the title. A minus excludes at the start of a word only: `state-of-the-art`, `a - b` and `--x` exclude nothing. `-5` excludes the number 5.
     *
     *     Words joined by a hyphen, and words of letters and digits, are found in each spelling: `email` and `e-mail`, `iPhone 15` and `iPhone15`.
     *
     *     A quote after a digit, or without a second quote, is punctuation. In a query of more than 32 other words, which is a text rather than an expression, all quotes and minuses are punctuation. A query has at most 20 phrases and exclusions. One of exclusions or stop words only finds nothing.
     */
    query: string;
    /**
     * @description `text`: by the words of the query. `vector`: by the similarity of its meaning, which requires an embedding provider. `hybrid`: by both; by text when there is no provider, no vectors, or no answer of the provider in time.
     * @default hybrid
     * @enum {string}
     */
    mode?: 'text' | 'vector' | 'hybrid';
    content_type?: string;
    metadata?: {
      [key: string]: string;
    };
    /**
     * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
     *
     *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
     *
     *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
     */
    filter?: {
      [key: string]: unknown;
    };
    /** @default 20 */
    limit?: number;
    /**
     * @description `file`: one result per file, with its best chunk. `chunk`: the best chunks, possibly several of one file.
     * @default file
     * @enum {string}
     */
    group?: 'file' | 'chunk';
    /** @description The most chunks of one file. Requires `group: "chunk"`. */
    max_per_file?: number;
    /** @description The share of meaning in the score. Requires the mode `hybrid`. */
    hybrid?: {
      /** @description From 0, text only, to 1, meaning only. */
      weight: number;
    };
    /** @description Prefers newer files: a share of the score halves with each half-life since the upload. */
    recency?: {
      /** @description After this time, `weight` has halved. */
      half_life_days: number;
      /**
       * @description The share of the score that fades.
       * @default 0.5
       */
      weight?: number;
    };
    /**
     * @description Whether a reranking model orders the best 50 results anew. `not_served` says when it did not.
     * @default false
     */
    rerank?: boolean;
  };
  AnswerPortalQuestionRequest: {
    /** @description A question in plain words. Quotes and minuses have no special meaning. */
    question: string;
    /** @description Answers from the files of this type. */
    content_type?: string;
    /** @description Answers from the files that have all of these metadata, with these values. */
    metadata?: {
      [key: string]: string;
    };
    /**
     * @description Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
     *
     *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
     *
     *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
     */
    filter?: {
      [key: string]: unknown;
    };
    /** @description The conversation before the question, the oldest message first. A chat model rewrites the question so that it can be understood alone. Without a chat model it has no effect. */
    history?: {
      /** @enum {string} */
      role: 'user' | 'assistant';
      content: string;
    }[];
    /** @description The longest answer of the chat model, in its tokens. The limit of the operator applies as well. */
    max_tokens?: number;
    /** @description Asks for an answer in JSON. `answer` is then its text and `json` its value, which matches the schema, or null if the files do not answer the question. Requires a chat model. */
    answer_format?: {
      /** @constant */
      type: 'json';
      /** @description A JSON Schema of type `object`, at most 16,000 characters long. Keywords: `type`, `properties`, `required`, `additionalProperties` (true or false), `items`, `anyOf`, `enum`, `const`, `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `title`, `description`. */
      schema: {
        [key: string]: unknown;
      };
    };
    /** @description At most this many passages are given to the answer. Default 5. */
    top_k?: number;
    /** @description An alias of `top_k`. */
    topK?: number;
    /**
     * @description Whether the answer is sent as server-sent events while it is written.
     * @default false
     */
    stream?: boolean;
  };
  VerifyConnectionRequest: {
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    name: string;
    bucket: string;
    region?: string | null;
    prefix?: string | null;
    /**
     * @description `sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once.
     * @enum {string}
     */
    listing_order?: 'sorted' | 'unsorted';
    /** @description Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false. */
    auto_process?: boolean;
    /**
     * @description What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result.
     * @enum {string}
     */
    on_change?: 'reprocess' | 'ignore';
    /** @description Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters. */
    include?: string[];
    /** @description Leave out objects whose key matches one of these patterns. */
    exclude?: string[];
    /** @description The smallest size to select, in bytes. */
    min_size?: number | null;
    /** @description The largest size to select, in bytes. */
    max_size?: number | null;
    /** @description Select only objects that were modified later. Null: objects of any age. */
    modified_after?: string | null;
    /** @description Select only objects of these types, by the extension of their name. `image/*` selects all images. */
    content_types?: string[];
    /** @description Select only objects of these storage classes. An object without one is `STANDARD`. */
    storage_classes?: string[];
    /**
     * @description What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants.
     * @enum {string}
     */
    on_delete?: 'delete' | 'keep';
    /** @description The space of the files that are made of objects. Default: `default`. */
    space?: string;
    /** @description Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request. */
    sync_interval_minutes?: number | null;
    /** @description Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false. */
    paused?: boolean;
    /** @description The queue to which the bucket reports changed objects. Kiln reads it with the credentials of the connection and updates nodes and files soon after each change. Null, the default: changes are found by syncs only. */
    notifications?: {
      /**
       * @description `sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.
       * @enum {string}
       */
      type: 'sqs' | 'pubsub' | 'storage_queue';
      /** @description The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account. */
      queue: string;
    } | null;
    /** @description Syncs read the newest inventory of Amazon S3 in place of a listing of the bucket. Its files must be CSV or Parquet, with size, last modified date and ETag. Null, the default: syncs list the bucket. */
    inventory?: {
      /** @description The bucket of the inventories. Default: that of the connection. */
      bucket?: string;
      /** @description Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory. */
      prefix: string;
      /** @description A sync lists the bucket when no inventory is newer. Default: 48. */
      max_age_hours?: number;
    } | null;
    /** @description `access_key`: {access_key_id, secret_access_key, endpoint?, session_token?}. `role_assumption`: {role_arn, external_id}. `service_account`: the JSON key, or the configuration of workload identity federation with a service account to impersonate. `service_principal`: {tenant_id, client_id, client_secret, account_name}, {account_name, account_key} or {account_name, sas_token}. Encrypted at rest and never returned. */
    credentials: {
      [key: string]: unknown;
    };
  };
  StartConnectionRequest: {
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
  };
  ListConnectionBucketsRequest: {
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    region?: string | null;
    /** @description `access_key`: {access_key_id, secret_access_key, endpoint?, session_token?}. `role_assumption`: {role_arn, external_id}. `service_account`: the JSON key, or the configuration of workload identity federation with a service account to impersonate. `service_principal`: {tenant_id, client_id, client_secret, account_name}, {account_name, account_key} or {account_name, sas_token}. Encrypted at rest and never returned. */
    credentials: {
      [key: string]: unknown;
    };
  };
  CreateConnectionRequest: {
    /** @enum {string} */
    provider:
      | 's3'
      | 'gcs'
      | 'container_blob'
      | 'r2'
      | 'selfhost_s3'
      | 'b2'
      | 'spaces_store'
      | 'hot_store'
      | 'backend_storage';
    name: string;
    bucket: string;
    region?: string | null;
    prefix?: string | null;
    /**
     * @description `sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once.
     * @enum {string}
     */
    listing_order?: 'sorted' | 'unsorted';
    /** @description Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false. */
    auto_process?: boolean;
    /**
     * @description What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result.
     * @enum {string}
     */
    on_change?: 'reprocess' | 'ignore';
    /** @description Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters. */
    include?: string[];
    /** @description Leave out objects whose key matches one of these patterns. */
    exclude?: string[];
    /** @description The smallest size to select, in bytes. */
    min_size?: number | null;
    /** @description The largest size to select, in bytes. */
    max_size?: number | null;
    /** @description Select only objects that were modified later. Null: objects of any age. */
    modified_after?: string | null;
    /** @description Select only objects of these types, by the extension of their name. `image/*` selects all images. */
    content_types?: string[];
    /** @description Select only objects of these storage classes. An object without one is `STANDARD`. */
    storage_classes?: string[];
    /**
     * @description What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants.
     * @enum {string}
     */
    on_delete?: 'delete' | 'keep';
    /** @description The space of the files that are made of objects. Default: `default`. */
    space?: string;
    /** @description Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request. */
    sync_interval_minutes?: number | null;
    /** @description Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false. */
    paused?: boolean;
    /** @description The queue to which the bucket reports changed objects. Kiln reads it with the credentials of the connection and updates nodes and files soon after each change. Null, the default: changes are found by syncs only. */
    notifications?: {
      /**
       * @description `sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.
       * @enum {string}
       */
      type: 'sqs' | 'pubsub' | 'storage_queue';
      /** @description The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account. */
      queue: string;
    } | null;
    /** @description Syncs read the newest inventory of Amazon S3 in place of a listing of the bucket. Its files must be CSV or Parquet, with size, last modified date and ETag. Null, the default: syncs list the bucket. */
    inventory?: {
      /** @description The bucket of the inventories. Default: that of the connection. */
      bucket?: string;
      /** @description Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory. */
      prefix: string;
      /** @description A sync lists the bucket when no inventory is newer. Default: 48. */
      max_age_hours?: number;
    } | null;
    credentials?: {
      [key: string]: unknown;
    } | null;
  };
  UpdateConnectionRequest: {
    name?: string;
    region?: string | null;
    /**
     * @description `sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once.
     * @enum {string}
     */
    listing_order?: 'sorted' | 'unsorted';
    /** @description Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false. */
    auto_process?: boolean;
    /**
     * @description What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result.
     * @enum {string}
     */
    on_change?: 'reprocess' | 'ignore';
    /** @description Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters. */
    include?: string[];
    /** @description Leave out objects whose key matches one of these patterns. */
    exclude?: string[];
    /** @description The smallest size to select, in bytes. */
    min_size?: number | null;
    /** @description The largest size to select, in bytes. */
    max_size?: number | null;
    /** @description Select only objects that were modified later. Null: objects of any age. */
    modified_after?: string | null;
    /** @description Select only objects of these types, by the extension of their name. `image/*` selects all images. */
    content_types?: string[];
    /** @description Select only objects of these storage classes. An object without one is `STANDARD`. */
    storage_classes?: string[];
    /**
     * @description What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants.
     * @enum {string}
     */
    on_delete?: 'delete' | 'keep';
    /** @description The space of the files that are made of objects. Default: `default`. */
    space?: string;
    /** @description Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request. */
    sync_interval_minutes?: number | null;
    /** @description Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false. */
    paused?: boolean;
    /** @description The queue to which the bucket reports changed objects. Kiln reads it with the credentials of the connection and updates nodes and files soon after each change. Null, the default: changes are found by syncs only. */
    notifications?: {
      /**
       * @description `sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure.
       * @enum {string}
       */
      type: 'sqs' | 'pubsub' | 'storage_queue';
      /** @description The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account. */
      queue: string;
    } | null;
    /** @description Syncs read the newest inventory of Amazon S3 in place of a listing of the bucket. Its files must be CSV or Parquet, with size, last modified date and ETag. Null, the default: syncs list the bucket. */
    inventory?: {
      /** @description The bucket of the inventories. Default: that of the connection. */
      bucket?: string;
      /** @description Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory. */
      prefix: string;
      /** @description A sync lists the bucket when no inventory is newer. Default: 48. */
      max_age_hours?: number;
    } | null;
    /** @description `access_key`: {access_key_id, secret_access_key, endpoint?, session_token?}. `role_assumption`: {role_arn, external_id}. `service_account`: the JSON key, or the configuration of workload identity federation with a service account to impersonate. `service_principal`: {tenant_id, client_id, client_secret, account_name}, {account_name, account_key} or {account_name, sas_token}. Encrypted at rest and never returned. */
    credentials?: {
      [key: string]: unknown;
    };
  };
  StartSyncRequest: {
    /**
     * @description Remove nodes even if more than half of them are missing from the bucket.
     * @default false
     */
    force?: boolean;
  };
  InitNodeUploadRequest: {
    connection_id: string;
    path: string;
    content_type?: string;
    size_bytes?: number;
  };
  CommitNodeUploadRequest: {
    node_id: string;
  };
  CreateWebhookRequest: {
    url: string;
    events: (
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | '*'
    )[];
    /** @description Only events about files of these spaces; no events of connections, and no `job.failed`. Null: all events. */
    spaces?: string[] | null;
    description?: string | null;
    /**
     * @description Custom headers sent with every delivery. Their values are never returned.
     * @default {}
     */
    headers?: {
      [key: string]: string;
    };
  };
  UpdateWebhookRequest: {
    url?: string;
    events?: (
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | '*'
    )[];
    /** @description Only events about files of these spaces; no events of connections, and no `job.failed`. Null: all events. */
    spaces?: string[] | null;
    active?: boolean;
    description?: string | null;
    /** @description Custom headers sent with every delivery. Their values are never returned. */
    headers?: {
      [key: string]: string;
    };
  };
  RotateWebhookSecretRequest: {
    /**
     * @description How long deliveries are signed with the old secret too, in seconds. Secrets of earlier rotations keep their own grace periods. With 0 all old secrets expire immediately.
     * @default 0
     */
    grace_period_seconds?: number;
  };
  ReplayWebhookRequest: {
    since: string;
    until?: string;
    event_types?: (
      | 'file.created'
      | 'file.deleted'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'variant.ready'
      | 'job.failed'
      | 'connection.synced'
      | 'connection.sync.failed'
      | 'webhook.disabled'
      | 'webhook.test'
    )[];
  };
  RecoverWebhookRequest: {
    since: string;
    until?: string;
  };
}
export interface Parameters {
  upload: {
    query: {
      /**
       * @description Seconds to wait until the file is processed, at most 60. The response then has `variants` with their contents, or `error`. It comes earlier when the job ends, and has the status at that time. The file is created in any case. Needs the scope `files:read`.
       * @default 0
       */
      wait?: number;
    };
  };
  beginUpload: Record<string, never>;
  getUpload: {
    query: {
      /** @default 200 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  abortUpload: {
    path: {
      id: string;
    };
  };
  signUploadParts: {
    path: {
      id: string;
    };
  };
  completeUpload: {
    path: {
      id: string;
    };
  };
  listFiles: {
    query: {
      space?: string;
      /** @enum {string} */
      status?: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
      /** @description Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched. */
      search?: string;
      /**
       * @default created_at
       * @enum {string}
       */
      sort_by?: 'created_at' | 'updated_at' | 'filename' | 'size_bytes';
      /**
       * @default desc
       * @enum {string}
       */
      sort_order?: 'asc' | 'desc';
      metadata?: {
        [key: string]: string;
      };
      /** @description The id of the file in your system. No two files of the organization have the same one. */
      external_id?: string;
      /**
       * @description JSON. Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
       *
       *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
       *
       *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
       */
      filter?: string;
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  deleteFiles: Record<string, never>;
  createFile: {
    query: {
      /**
       * @description Seconds to wait until the file is processed, at most 60. The response then has `variants` with their contents, or `error`. It comes earlier when the job ends, and has the status at that time. The file is created in any case. Needs the scope `files:read`.
       * @default 0
       */
      wait?: number;
    };
  };
  getFile: {
    path: {
      id: string;
    };
  };
  updateFile: {
    path: {
      id: string;
    };
  };
  deleteFile: {
    path: {
      id: string;
    };
  };
  listFileChunks: {
    query: {
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  downloadFile: {
    path: {
      id: string;
    };
  };
  listVariants: {
    path: {
      file_id: string;
    };
  };
  getVariant: {
    path: {
      file_id: string;
      /** @enum {string} */
      type: 'markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout';
    };
  };
  getVariantContent: {
    path: {
      token: string;
    };
  };
  getPageImage: {
    query: {
      /**
       * @description The width in pixels that is needed. The image has the next of these widths: 320, 640, 1024, 1600, 2048.
       * @default 1024
       */
      width?: number;
    };
    path: {
      id: string;
      page: number;
    };
  };
  getPortalPageImage: {
    query: {
      /**
       * @description The width in pixels that is needed. The image has the next of these widths: 320, 640, 1024, 1600, 2048.
       * @default 1024
       */
      width?: number;
    };
    path: {
      id: string;
      page: number;
    };
  };
  receiveExtractionResult: {
    path: {
      token: string;
    };
  };
  uploadBatch: Record<string, never>;
  getBatch: {
    query: {
      /**
       * @description Seconds to wait for the end, at most 60. The response comes when it has ended, or with the state after that time.
       * @default 0
       */
      wait?: number;
    };
    path: {
      id: string;
    };
  };
  processFile: {
    path: {
      id: string;
    };
  };
  processBatch: Record<string, never>;
  listSpaces: {
    query: {
      /** @description The number of spaces of a page, from 1 to 200. Without it, a page holds up to 1000 spaces. */
      limit?: number;
      cursor?: string;
    };
  };
  getSpaceStats: {
    path: {
      name: string;
    };
  };
  deleteSpace: {
    query: {
      /**
       * @description Deletes the files of the space, too. Without it, a space with files is not deleted.
       * @default false
       * @enum {string}
       */
      cascade?: 'true' | 'false';
    };
    path: {
      name: string;
    };
  };
  cancelJobs: Record<string, never>;
  retryJobs: Record<string, never>;
  listJobs: {
    query: {
      space?: string;
      /** @enum {string} */
      status?: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
      /** @description The jobs of this file. */
      file_id?: string;
      /** @description The jobs that were created with this batch. */
      batch_id?: string;
      /** @default 50 */
      limit?: number;
      cursor?: string;
      /** @description Only jobs that were created at or after this time. */
      since?: string;
    };
  };
  getJob: {
    query: {
      /**
       * @description Seconds to wait for the end, at most 60. The response comes when it has ended, or with the state after that time.
       * @default 0
       */
      wait?: number;
    };
    path: {
      id: string;
    };
  };
  cancelJob: {
    path: {
      id: string;
    };
  };
  retryJob: {
    path: {
      id: string;
    };
  };
  search: Record<string, never>;
  answerQuestion: Record<string, never>;
  getMe: Record<string, never>;
  getCapabilities: Record<string, never>;
  getSettings: Record<string, never>;
  updateSettings: Record<string, never>;
  getRoutingRules: Record<string, never>;
  setRoutingRules: Record<string, never>;
  getBranding: Record<string, never>;
  updateBranding: Record<string, never>;
  getPortalSettings: Record<string, never>;
  updatePortalSettings: Record<string, never>;
  getUsage: Record<string, never>;
  listProviderKeys: Record<string, never>;
  setProviderKey: Record<string, never>;
  testProviderKey: {
    path: {
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor' | 'embedding' | 'chat';
    };
  };
  deleteProviderKey: {
    path: {
      /** @enum {string} */
      provider: 'document_extractor' | 'image_extractor' | 'audio_extractor' | 'embedding' | 'chat';
    };
  };
  createApiKey: Record<string, never>;
  listApiKeys: {
    query: {
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  deleteApiKey: {
    path: {
      id: string;
    };
  };
  exchangeSignInCode: Record<string, never>;
  createPortalToken: Record<string, never>;
  listPortalTokens: {
    query: {
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  verifyPortalToken: {
    path: {
      token: string;
    };
  };
  deletePortalToken: {
    path: {
      token: string;
    };
  };
  listPortalFiles: {
    query: {
      /** @enum {string} */
      status?: 'uploading' | 'uploaded' | 'processing' | 'completed' | 'failed';
      /** @description Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched. */
      search?: string;
      /**
       * @default created_at
       * @enum {string}
       */
      sort_by?: 'created_at' | 'updated_at' | 'filename' | 'size_bytes';
      /**
       * @default desc
       * @enum {string}
       */
      sort_order?: 'asc' | 'desc';
      metadata?: {
        [key: string]: string;
      };
      /** @description The id of the file in your system. No two files of the organization have the same one. */
      external_id?: string;
      /**
       * @description JSON. Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.
       *
       *     Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.
       *
       *     Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
       */
      filter?: string;
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  getPortalFile: {
    path: {
      id: string;
    };
  };
  downloadPortalFile: {
    path: {
      id: string;
    };
  };
  getPortalBranding: Record<string, never>;
  listPortalVariants: {
    path: {
      file_id: string;
    };
  };
  getPortalVariant: {
    path: {
      file_id: string;
      /** @enum {string} */
      type: 'markdown' | 'embeddings' | 'metadata' | 'searchable-index' | 'thumbnails' | 'layout';
    };
  };
  searchPortal: Record<string, never>;
  answerPortalQuestion: Record<string, never>;
  verifyConnection: Record<string, never>;
  startConnection: Record<string, never>;
  listConnectionBuckets: Record<string, never>;
  listConnectionProviders: Record<string, never>;
  createConnection: Record<string, never>;
  listConnections: {
    query: {
      /** @default 200 */
      limit?: number;
      cursor?: string;
    };
  };
  getConnection: {
    path: {
      id: string;
    };
  };
  updateConnection: {
    path: {
      id: string;
    };
  };
  deleteConnection: {
    path: {
      id: string;
    };
  };
  testConnection: {
    path: {
      id: string;
    };
  };
  browseConnection: {
    query: {
      /** @description Return only objects whose keys start with this prefix. */
      prefix?: string;
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  startSync: {
    path: {
      id: string;
    };
  };
  cancelSync: {
    path: {
      id: string;
    };
  };
  previewSync: {
    path: {
      id: string;
    };
  };
  getSyncProgress: {
    path: {
      id: string;
    };
  };
  listSyncs: {
    query: {
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  initNodeUpload: Record<string, never>;
  commitNodeUpload: Record<string, never>;
  listNodes: {
    query: {
      connection_id?: string;
      /** @description Return the nodes of this folder. `root`, together with `connection_id`, returns the nodes at the top level. */
      parent_id?: string;
      /** @enum {string} */
      type?: 'file' | 'folder';
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  getNode: {
    path: {
      id: string;
    };
  };
  deleteNode: {
    path: {
      id: string;
    };
  };
  listChildren: {
    query: {
      /** @enum {string} */
      type?: 'file' | 'folder';
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  downloadNode: {
    path: {
      id: string;
    };
  };
  createWebhook: Record<string, never>;
  listWebhooks: {
    query: {
      /** @description The number of webhooks of a page, from 1 to 200. Without it, a page holds all webhooks that fit into a response. */
      limit?: number;
      cursor?: string;
    };
  };
  listWebhookEventTypes: Record<string, never>;
  getWebhook: {
    path: {
      id: string;
    };
  };
  updateWebhook: {
    path: {
      id: string;
    };
  };
  deleteWebhook: {
    path: {
      id: string;
    };
  };
  rotateWebhookSecret: {
    path: {
      id: string;
    };
  };
  testWebhook: {
    path: {
      id: string;
    };
  };
  replayWebhook: {
    path: {
      id: string;
    };
  };
  recoverWebhook: {
    path: {
      id: string;
    };
  };
  resendDelivery: {
    path: {
      id: string;
      delivery_id: string;
    };
  };
  listDeliveries: {
    query: {
      /** @enum {string} */
      status?: 'pending' | 'delivered' | 'failed';
      /** @enum {string} */
      event_type?:
        | 'file.created'
        | 'file.deleted'
        | 'file.processing.completed'
        | 'file.processing.failed'
        | 'variant.ready'
        | 'job.failed'
        | 'connection.synced'
        | 'connection.sync.failed'
        | 'webhook.disabled'
        | 'webhook.test';
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
    path: {
      id: string;
    };
  };
  getDelivery: {
    path: {
      id: string;
      delivery_id: string;
    };
  };
  getWebhookEvent: {
    path: {
      id: string;
      event_id: string;
    };
  };
  listWebhookEvents: {
    query: {
      /** @enum {string} */
      event_type?:
        | 'file.created'
        | 'file.deleted'
        | 'file.processing.completed'
        | 'file.processing.failed'
        | 'variant.ready'
        | 'job.failed'
        | 'connection.synced'
        | 'connection.sync.failed'
        | 'webhook.disabled'
        | 'webhook.test';
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  streamEvents: {
    query: {
      /** @description The types of events, separated by commas. Default: all. */
      types?: string;
      /** @description Only events about files of this space. */
      space?: string;
      /** @description Only events about this file. */
      file_id?: string;
      /** @description Only events about this job. */
      job_id?: string;
    };
  };
  getOverview: Record<string, never>;
  getFileTypes: Record<string, never>;
  getSpaceHealth: Record<string, never>;
  getProcessing: {
    query: {
      /**
       * @description The last `days` × 24 hours, from the beginning of the first hour.
       * @default 30
       */
      days?: number;
    };
  };
  getDailyTimes: {
    query: {
      /**
       * @description The number of days, including today. Days without activity are included.
       * @default 30
       */
      days?: number;
    };
  };
  getProviders: {
    query: {
      /**
       * @description The last `days` × 24 hours, from the beginning of the first hour.
       * @default 30
       */
      days?: number;
    };
  };
  getVolume: {
    query: {
      /**
       * @description The number of days, including today. Days without activity are included.
       * @default 30
       */
      days?: number;
    };
  };
  getTrends: {
    query: {
      /**
       * @description The number of days, including today. Days without activity are included.
       * @default 30
       */
      days?: number;
    };
  };
  getStorageGrowth: {
    query: {
      /**
       * @description The number of days, including today. Days without activity are included.
       * @default 30
       */
      days?: number;
    };
  };
  listFailures: {
    query: {
      /** @default 20 */
      limit?: number;
    };
  };
  listTopFailures: {
    query: {
      /** @default 10 */
      limit?: number;
    };
  };
  listRequests: {
    query: {
      /** @enum {string} */
      method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS';
      status?: number;
      /** @description The beginning of the path. */
      path?: string;
      /** @enum {string} */
      auth_type?: 'api_key' | 'jwt';
      /** @description The exact name of the API key, or subject of the bearer token. */
      key_name?: string;
      /** @description Only requests at or after this time. */
      since?: string;
      /** @description Only requests before this time. */
      until?: string;
      /** @default 50 */
      limit?: number;
      cursor?: string;
    };
  };
  getLiveness: Record<string, never>;
  getReadiness: Record<string, never>;
  getOpenApi: Record<string, never>;
  getDocs: Record<string, never>;
  getDocsAsset: {
    path: {
      /** @enum {string} */
      asset: 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'favicon-32x32.png' | 'start.js';
    };
  };
}
