// Converts events to facts.
import {
  uuidOf,
  type CloudEvent,
  type EventData,
  type connectionsEvents,
  type filesEvents,
  type jobsEvents,
} from '@kiln/contracts';
import type { ConnectionFactEntity } from './connection-fact.entity.js';
import type { FileFact } from './file-fact.store.js';
import type { JobOutcome } from './job-outcome.store.js';

export type FileCreated = CloudEvent<EventData<typeof filesEvents.fileCreated>>;
export type FilesChanged = CloudEvent<EventData<typeof filesEvents.filesChanged>>;
export type FileDeleted = CloudEvent<EventData<typeof filesEvents.fileDeleted>>;
export type Completed = CloudEvent<EventData<typeof jobsEvents.processingCompleted>>;
export type Failed = CloudEvent<EventData<typeof jobsEvents.processingFailed>>;
export type Retried = CloudEvent<EventData<typeof jobsEvents.jobRetried>>;
export type ConnectionEvent = CloudEvent<EventData<typeof connectionsEvents.connectionCreated>>;

/** The type of bytes about which nothing else is known (RFC 2046, section 4.5.1). */
const UNKNOWN_TYPE = 'application/octet-stream';

/** The first state of a file. Every change has a higher version. */
export const newFileOf = ({ tenantid, time, data }: FileCreated): FileFact => ({
  tenant_id: tenantid,
  file_id: uuidOf('file', data.file_id),
  version: 0,
  status: data.status,
  space: data.space,
  content_type: data.content_type ?? UNKNOWN_TYPE,
  size_bytes: data.size_bytes ?? 0,
  jobs: data.job_id === null ? 0 : 1,
  variants: 0,
  created_at: time,
  deleted_at: null,
});

export const filesOf = ({ tenantid, data }: FilesChanged): FileFact[] =>
  data.files.map(({ file_id, content_type, size_bytes, ...state }) => ({
    ...state,
    tenant_id: tenantid,
    file_id: uuidOf('file', file_id),
    content_type: content_type ?? UNKNOWN_TYPE,
    size_bytes: size_bytes ?? 0,
    deleted_at: null,
  }));

/** The fields that the history of a deleted file needs, even if none of its states has arrived. */
export const deletedFileOf = ({ tenantid, time, data }: FileDeleted): FileFact => ({
  tenant_id: tenantid,
  file_id: uuidOf('file', data.file_id),
  version: 0,
  status: null,
  space: data.space,
  content_type: data.content_type ?? UNKNOWN_TYPE,
  size_bytes: data.size_bytes ?? 0,
  jobs: 0,
  variants: 0,
  created_at: data.created_at,
  deleted_at: time,
});

const runOf = ({ tenantid, time, data }: Completed | Failed | Retried) => ({
  tenant_id: tenantid,
  file_id: uuidOf('file', data.file_id),
  job_id: uuidOf('job', data.job_id),
  fence: data.fence,
  ended_at: time,
});

const nothing = { provider: null, duration_ms: null, reason: null, message: null, filename: null };

export const completionOf = (event: Completed): JobOutcome => ({
  ...nothing,
  ...runOf(event),
  status: 'completed',
  provider: event.data.provider,
  duration_ms: event.data.duration_ms,
});

export const failureOf = (event: Failed): JobOutcome => ({
  ...nothing,
  ...runOf(event),
  status: 'failed',
  provider: event.data.provider,
  reason: event.data.error.code,
  message: storable(event.data.error.message),
  filename: event.data.filename,
});

export const retryOf = (event: Retried): JobOutcome => ({ ...nothing, ...runOf(event), status: 'retried' });

export const connectionOf = ({ tenantid, data }: ConnectionEvent, deleted: boolean): ConnectionFactEntity => ({
  tenant_id: tenantid,
  connection_id: uuidOf('connection', data.connection_id),
  deleted,
});

/** Messages may quote what an engine has answered; Postgres stores neither NUL nor half a surrogate pair. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}');
