// The columns of a file. Only flat ones: no groups, no lists.
import { damaged, unsupported } from './parquet-error.js';
import type { ThriftStruct } from './thrift-struct.js';

export interface ColumnShape {
  name: string;
  type: 'boolean' | 'integer' | 'bytes' | 'other';
  isOptional: boolean;
  /** Of a column of times: how many of its units are a millisecond. Null: it has none. */
  unitsPerMs: number | null;
}

const COLUMNS_MAX = 1_000;
/** The physical types of parquet.thrift: BOOLEAN, INT64, BYTE_ARRAY. */
const TYPES = new Map<number, ColumnShape['type']>([
  [0, 'boolean'],
  [2, 'integer'],
  [6, 'bytes'],
]);
const [REQUIRED, OPTIONAL] = [0, 1];
const [TIMESTAMP_MILLIS, TIMESTAMP_MICROS] = [9, 10];
const LOGICAL_TIMESTAMP = 8;

/** By name. `elements` are those of the schema, of which the first is the root. */
export function columnShapes([root, ...elements]: readonly ThriftStruct[]): Map<string, ColumnShape> {
  if (elements.length > COLUMNS_MAX) throw unsupported(`there are more than ${COLUMNS_MAX} columns`);
  if (root?.count(5) !== elements.length) throw unsupported('the columns are nested');
  const shapes = elements.map(shapeOf);
  const byName = new Map(shapes.map((shape) => [shape.name, shape]));
  if (byName.size !== shapes.length) throw damaged('two columns have the same name');
  return byName;
}

function shapeOf(element: ThriftStruct): ColumnShape {
  const repetition = element.integer(3);
  if ((element.integer(5) ?? 0) !== 0 || (repetition !== REQUIRED && repetition !== OPTIONAL))
    throw unsupported('the columns are nested');
  const type = TYPES.get(element.count(1)) ?? 'other';
  return { name: element.text(4), type, isOptional: repetition === OPTIONAL, unitsPerMs: unitsPerMs(element) };
}

function unitsPerMs(element: ThriftStruct): number | null {
  const unit = element.struct(10)?.struct(LOGICAL_TIMESTAMP)?.struct(2);
  if (unit?.has(1)) return 1;
  if (unit?.has(2)) return 1_000;
  if (unit?.has(3)) return 1_000_000;
  const converted = element.integer(6);
  if (converted === TIMESTAMP_MILLIS) return 1;
  return converted === TIMESTAMP_MICROS ? 1_000 : null;
}
