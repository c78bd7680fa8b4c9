/** The contracts of one release as they are recorded in `released/<version>.json`: the fields of all operations and events. */
import { z } from 'zod';
import { flattenSchema, type Fields, type JsonSchema } from './flatten-schema.js';

export interface RecordedOperation {
  readonly revision: number;
  readonly input: Fields;
  /** The parts of a streaming operation. */
  readonly item: Fields | null;
  readonly output: Fields;
}

export interface RecordedContracts {
  readonly operations: ReadonlyMap<string, RecordedOperation>;
  /** The fields of the data of each event. */
  readonly events: ReadonlyMap<string, Fields>;
}

interface OperationLike {
  readonly subject: string;
  readonly revision?: number;
  readonly input: z.ZodType;
  readonly item?: z.ZodType;
  readonly output: z.ZodType;
}

interface EventLike {
  readonly type: string;
  readonly owner: string;
  readonly data: z.ZodType;
}

/** Reads the exports of `@kiln/contracts`, of any release. */
export function describeContracts(exported: Readonly<Record<string, unknown>>): RecordedContracts {
  const found = Object.values(exported).flatMap((value) => [value, ...membersOf(value)]);
  const operations = new Map<string, RecordedOperation>();
  const events = new Map<string, Fields>();
  for (const value of found) {
    if (isOperation(value)) operations.set(value.subject, describeOperation(value));
    if (isEvent(value)) events.set(value.type, fieldsOf(value.data, 'input'));
  }
  return { operations: sorted(operations), events: sorted(events) };
}

function describeOperation({ revision = 1, input, item, output }: OperationLike): RecordedOperation {
  const itemFields = item ? fieldsOf(item, 'output') : null;
  return { revision, input: fieldsOf(input, 'input'), item: itemFields, output: fieldsOf(output, 'output') };
}

/** `input`: what is sent to a schema. `output`: what a schema returns. */
function fieldsOf(schema: z.ZodType, io: 'input' | 'output'): Fields {
  return flattenSchema(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema);
}

const membersOf = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : []);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isOperation = (value: unknown): value is OperationLike =>
  isObject(value) && 'subject' in value && 'input' in value && 'output' in value;
const isEvent = (value: unknown): value is EventLike =>
  isObject(value) && 'type' in value && 'owner' in value && 'data' in value;

function sorted<Value>(map: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
