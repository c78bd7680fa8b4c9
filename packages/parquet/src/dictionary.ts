// The values that occur in a column, which its pages name by their number.
import { ByteCursor } from './byte-cursor.js';
import type { ColumnShape } from './column-shape.js';
import type { PageHeader } from './page-header.js';
import { damaged, unsupported } from './parquet-error.js';
import { lengthOf, plainValues, type PlainValue } from './plain-values.js';

export interface Dictionary {
  at(index: number): PlainValue;
}

const [PLAIN, PLAIN_DICTIONARY] = [0, 2];

export function dictionaryOf(shape: ColumnShape, { values, encoding }: PageHeader, bytes: Buffer): Dictionary {
  if (encoding !== PLAIN && encoding !== PLAIN_DICTIONARY)
    throw unsupported(`the encoding ${encoding} of a dictionary is not supported`);
  // Its entries take memory.
  if (values > bytes.length) throw damaged('a dictionary has more entries than bytes');
  const cursor = new ByteCursor(bytes);
  return shape.type === 'bytes' ? bytesDictionary(values, cursor) : listed(values, plainValues(shape, cursor));
}

/** What an entry takes besides its bytes: its start and its end, or a number. */
export const ENTRY_BYTES = 8;

/** Where its entries are. An object for each would take many times the memory of the page. */
function bytesDictionary(values: number, cursor: ByteCursor): Dictionary {
  const starts = new Uint32Array(values);
  const ends = new Uint32Array(values);
  for (let index = 0; index < values; index += 1) {
    starts[index] = cursor.pass(lengthOf(cursor));
    ends[index] = cursor.position;
  }
  return { at: (index) => (index < values ? cursor.bytes.subarray(starts[index], ends[index]) : absent()) };
}

function listed(values: number, next: () => PlainValue): Dictionary {
  const entries = Array.from({ length: values }, next);
  return { at: (index) => entries[index] ?? absent() };
}

function absent(): never {
  throw damaged('a value is not in its dictionary');
}
