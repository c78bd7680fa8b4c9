// What the stream of events sends. Its endpoint only streams, so nothing of it is generated.
import type { EventType, KilnEvent } from '../generated/event-payloads.js';

/** How far a job is. It has no id, is not stored, and does not come again. */
export interface JobProgressEvent {
  type: 'job.progress';
  created_at: string;
  org_id: string;
  data: {
    job_id: string;
    file_id: string;
    space: string;
    step: string;
    /** From 0 to 1. */
    progress: number;
  };
}

export type StreamedEvent = KilnEvent | JobProgressEvent;

/** Which events are sent. Default: all. */
export interface EventStreamQuery {
  types?: readonly (EventType | 'job.progress')[];
  /** Events of files in this space. */
  space?: string;
  file_id?: string;
  job_id?: string;
}
