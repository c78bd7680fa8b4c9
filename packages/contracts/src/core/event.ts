// Event definitions. An event reports a past fact and is owned by one service. On the wire it is a CloudEvents 1.0 message in
// structured JSON
// (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
import { z } from 'zod';
import { findMode, modeSchema } from './mode.js';

export interface EventDefinition<Data extends z.ZodType = z.ZodType> {
  /** CloudEvents `type`, e.g. `file.processing.completed`. If the meaning changes, add a new type. */
  readonly type: string;
  /** The service that emits it; CloudEvents `source` is `/kiln/<owner>`. */
  readonly owner: string;
  readonly data: Data;
}

export type EventData<Definition extends EventDefinition> = z.output<Definition['data']>;

export function event<Data extends z.ZodType>(definition: EventDefinition<Data>): EventDefinition<Data> {
  return Object.freeze(definition);
}

const attributesSchema = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  subject: z.string().optional(),
  time: z.iso.datetime({ offset: true }),
  datacontenttype: z.literal('application/json'),
  tenantid: z.uuid(),
  mode: modeSchema,
  requestid: z.string().optional(),
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  data: z.unknown(),
});

/**
 * The envelope. `tenantid`, `mode` and `requestid` are extension attributes (lower case by the specification); `traceparent` and
 * `tracestate` are from CloudEvents' distributed tracing extension: the span that made the event.
 */
export const cloudEventSchema = attributesSchema.refine(({ tenantid, mode }) => mode === findMode(tenantid), {
  path: ['mode'],
  error: 'must be the mode of the tenant',
});

export type CloudEvent<Data = unknown> = Omit<z.output<typeof cloudEventSchema>, 'data'> & { data: Data };
