// Publishes events of files as the relay of the files service does.
import { encodeId, eventIdOf, filesEvents, modeOf, type CloudEvent } from '@kiln/contracts';
import { connectBus, createLogger, JobProgressChannel, publicEventSubject, type NatsConnection } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';

export interface EventWishes {
  space?: string;
  fileId?: string;
  /** Default: now. */
  time?: Date;
}

export class PublicEvents {
  readonly progress: JobProgressChannel;

  private constructor(
    readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {
    this.progress = new JobProgressChannel(connection, namespace);
  }

  static async connect(natsUrl: string, namespace: string): Promise<PublicEvents> {
    const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });
    return new PublicEvents(await connectBus({ url: natsUrl, name: 'test', logger }), namespace);
  }

  /** Returns the public id of the event. */
  created(
    tenantId: string,
    filename: string,
    { space = 'default', fileId, time = new Date() }: EventWishes = {},
  ): string {
    return this.publish(tenantId, filesEvents.fileCreated.type, dataOf(filename, { space, fileId }), time);
  }

  publish(tenantId: string, type: string, data: Record<string, unknown>, time = new Date()): string {
    const event = eventOf(tenantId, type, data, time);
    this.connection.publish(publicEventSubject(this.namespace, tenantId), JSON.stringify(event));
    return encodeId('event', eventIdOf(event));
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** A `file.created` of now. */
export const createdEvent = (tenantId: string, filename: string): CloudEvent =>
  eventOf(tenantId, filesEvents.fileCreated.type, dataOf(filename, {}), new Date());

function dataOf(filename: string, { space = 'default', fileId }: EventWishes) {
  const file_id = fileId ?? encodeId('file', uuidv7());
  return { file_id, job_id: null, space, filename, content_type: null, size_bytes: 1, status: 'uploaded' };
}

const eventOf = (tenantId: string, type: string, data: Record<string, unknown>, time: Date): CloudEvent => ({
  specversion: '1.0',
  id: uuidv7(),
  source: '/kiln/files',
  type,
  time: time.toISOString(),
  datacontenttype: 'application/json',
  tenantid: tenantId,
  mode: modeOf(tenantId),
  data,
});
