// Facts are safe to record twice and in any order, so no inbox is needed. Events that arrive within a second share a transaction.
import { connectionsEvents, filesEvents, jobsEvents } from '@kiln/contracts';
import { OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import {
  completionOf,
  connectionOf,
  deletedFileOf,
  failureOf,
  filesOf,
  newFileOf,
  retryOf,
  type Completed,
  type ConnectionEvent,
  type Failed,
  type FileCreated,
  type FileDeleted,
  type FilesChanged,
  type Retried,
} from './facts-of-events.service.js';
import { FACTS_MAX, RecordFacts } from './record-facts.usecase.js';

const together = { paceMs: 1_000, batchSize: FACTS_MAX };

@Controller()
export class FactsConsumer {
  constructor(private readonly record: RecordFacts) {}

  @OnEvents(filesEvents.fileCreated, together)
  onFileCreated(events: FileCreated[]): Promise<void> {
    return this.record.files(events.map(newFileOf));
  }

  @OnEvents(filesEvents.filesChanged, together)
  onFilesChanged(events: FilesChanged[]): Promise<void> {
    return this.record.files(events.flatMap(filesOf));
  }

  @OnEvents(filesEvents.fileDeleted, together)
  onFileDeleted(events: FileDeleted[]): Promise<void> {
    return this.record.files(events.map(deletedFileOf));
  }

  @OnEvents(jobsEvents.processingCompleted, together)
  onCompleted(events: Completed[]): Promise<void> {
    return this.record.outcomes(events.map(completionOf));
  }

  @OnEvents(jobsEvents.processingFailed, together)
  onFailed(events: Failed[]): Promise<void> {
    return this.record.outcomes(events.map(failureOf));
  }

  @OnEvents(jobsEvents.jobRetried, together)
  onRetried(events: Retried[]): Promise<void> {
    return this.record.outcomes(events.map(retryOf));
  }

  @OnEvents(connectionsEvents.connectionCreated, together)
  onConnectionCreated(events: ConnectionEvent[]): Promise<void> {
    return this.record.connections(events.map((event) => connectionOf(event, false)));
  }

  @OnEvents(connectionsEvents.connectionDeleted, together)
  onConnectionDeleted(events: ConnectionEvent[]): Promise<void> {
    return this.record.connections(events.map((event) => connectionOf(event, true)));
  }
}
