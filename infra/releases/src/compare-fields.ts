/** What a reader of one release cannot take from a writer of another. */
import type { Field, Fields } from './flatten-schema.js';

export interface Difference {
  /** `missing`: the reader requires it. `unknown`: the reader ignores it. `refused`: the reader does not take all its values. */
  readonly kind: 'missing' | 'unknown' | 'refused';
  readonly path: string;
}

/**
 * `kinds`: the reader does not validate, and takes any value of a kind that it knows. `values`: it validates, so lengths, ranges and the
 * values of enums count too.
 */
export type Strictness = 'kinds' | 'values';

export function compareFields(writer: Fields, reader: Fields, strictness: Strictness): Difference[] {
  const differences: Difference[] = [];
  for (const [path, wanted] of reader) {
    const sent = writer.get(path);
    const isMissing = sent ? sent.optional && !wanted.optional : !wanted.optional && writer.has(parentOf(path));
    if (isMissing) differences.push({ kind: 'missing', path });
  }
  for (const [path, sent] of writer) {
    const wanted = reader.get(path);
    if (!wanted && reader.has(parentOf(path))) differences.push({ kind: 'unknown', path });
    if (wanted && !isTaken(sent, wanted, strictness)) differences.push({ kind: 'refused', path });
  }
  return differences;
}

/** `.files[].name` → `.files[]` → `.files` → ''. */
const parentOf = (path: string): string => path.replace(/(?:\[\]|\.[^.[\]]*)$/, '');

function isTaken(sent: Field, wanted: Field, strictness: Strictness): boolean {
  const read = wanted.types.map(parseType);
  return sent.types.map(parseType).every((type) => read.some((other) => takes(other, type, strictness)));
}

interface ValueType {
  readonly kind: string;
  readonly literal?: string;
  readonly from: number;
  readonly to: number;
}

function takes(wanted: ValueType, sent: ValueType, strictness: Strictness): boolean {
  if (wanted.kind === 'any') return true;
  const isSameKind = wanted.kind === sent.kind || (wanted.kind === 'number' && sent.kind === 'integer');
  if (!isSameKind || strictness === 'kinds') return isSameKind;
  if (wanted.literal !== undefined) return wanted.literal === sent.literal;
  return sent.literal !== undefined || (sent.from >= wanted.from && sent.to <= wanted.to);
}

function parseType(text: string): ValueType {
  if (/^(?:'|-?\d|true$|false$)/.test(text)) {
    const kind = text.startsWith("'") ? 'string' : typeof JSON.parse(text);
    return { kind, literal: text, from: -Infinity, to: Infinity };
  }
  const [kind = '', bounds = '..'] = text.split(' ');
  const [from = '', to = ''] = bounds.split('..');
  return { kind, from: from === '' ? -Infinity : Number(from), to: to === '' ? Infinity : Number(to) };
}
