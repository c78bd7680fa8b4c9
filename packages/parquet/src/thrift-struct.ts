// Thrift's compact protocol, in which Parquet writes its metadata.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
import type { ByteCursor } from './byte-cursor.js';
import { damaged } from './parquet-error.js';

export type ThriftValue = number | boolean | Buffer | ThriftValue[] | ThriftStruct;

/** A list of empty structs takes a byte for each, and many times that in memory. */
const VALUES_MAX = 200_000;
const DEPTH_MAX = 16;
const TRUE = 1;
const FALSE = 2;

/** The fields of a struct, by their number. An absent field is undefined, and a field of another type than asked for is damage. */
export class ThriftStruct {
  constructor(private readonly fields: ReadonlyMap<number, ThriftValue>) {}

  has(field: number): boolean {
    return this.fields.has(field);
  }

  /** A whole number from 0, up to 2⁵³. */
  count(field: number): number {
    const value = this.integer(field);
    if (value === undefined || value < 0 || !Number.isSafeInteger(value)) throw damaged('a count is invalid');
    return value;
  }

  integer(field: number): number | undefined {
    const value = this.fields.get(field);
    if (value !== undefined && typeof value !== 'number') throw damaged('a field has another type');
    return value;
  }

  boolean(field: number): boolean | undefined {
    const value = this.fields.get(field);
    if (value !== undefined && typeof value !== 'boolean') throw damaged('a field has another type');
    return value;
  }

  text(field: number): string {
    const value = this.fields.get(field);
    if (!(value instanceof Buffer)) throw damaged('a field has another type');
    return value.toString();
  }

  list(field: number): ThriftValue[] {
    const value = this.fields.get(field);
    if (!Array.isArray(value)) throw damaged('a field has another type');
    return value;
  }

  structs(field: number): ThriftStruct[] {
    return this.list(field).map((value) => {
      if (!(value instanceof ThriftStruct)) throw damaged('a field has another type');
      return value;
    });
  }

  struct(field: number): ThriftStruct | undefined {
    const value = this.fields.get(field);
    if (value !== undefined && !(value instanceof ThriftStruct)) throw damaged('a field has another type');
    return value;
  }
}

export function readStruct(cursor: ByteCursor): ThriftStruct {
  return new StructReader(cursor).struct(0);
}

class StructReader {
  private values = 0;

  constructor(private readonly cursor: ByteCursor) {}

  struct(depth: number): ThriftStruct {
    if (depth > DEPTH_MAX) throw damaged('its metadata is nested too deeply');
    const fields = new Map<number, ThriftValue>();
    let field = 0;
    for (let header = this.cursor.byte(); header !== 0; header = this.cursor.byte()) {
      const delta = header >> 4;
      field = delta === 0 ? this.cursor.zigzag() : field + delta;
      const type = header & 0x0f;
      this.count();
      fields.set(field, type === TRUE || type === FALSE ? type === TRUE : this.value(type, depth));
    }
    return new ThriftStruct(fields);
  }

  private value(type: number, depth: number): ThriftValue {
    const { cursor } = this;
    if (type === 3) return (cursor.byte() << 24) >> 24;
    if (type >= 4 && type <= 6) return cursor.zigzag();
    if (type === 7) return cursor.take(8).readDoubleLE();
    if (type === 8) return cursor.take(cursor.varint());
    if (type === 9 || type === 10) return this.list(depth + 1);
    if (type === 12) return this.struct(depth + 1);
    throw damaged('its metadata has an unknown type');
  }

  private list(depth: number): ThriftValue[] {
    if (depth > DEPTH_MAX) throw damaged('its metadata is nested too deeply');
    const header = this.cursor.byte();
    const type = header & 0x0f;
    const size = header >> 4 === 15 ? this.cursor.varint() : header >> 4;
    if (size > this.cursor.remaining) throw damaged('a list is longer than its metadata');
    const values: ThriftValue[] = [];
    while (values.length < size) {
      this.count();
      values.push(type === TRUE || type === FALSE ? this.cursor.byte() === TRUE : this.value(type, depth));
    }
    return values;
  }

  private count(): void {
    this.values += 1;
    if (this.values > VALUES_MAX) throw damaged(`its metadata has more than ${VALUES_MAX} values`);
  }
}
