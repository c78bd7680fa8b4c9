// Whether files pass a filter.
import { dateOf, numberOf, type Comparisons, type FileFilter } from './filter.js';

/** The fields of a file that filters name. */
export interface FilteredFields {
  file_id: string;
  external_id: string | null;
  space: string;
  content_type: string | null;
  /** As responses show it. */
  created_at: string;
  status: string;
  /** At least the keys that the filter names. */
  metadata: Readonly<Record<string, string>>;
}

export function passesFilter(file: FilteredFields, filter: FileFilter): boolean {
  if ('and' in filter && Array.isArray(filter.and)) return filter.and.every((each) => passesFilter(file, each));
  if ('or' in filter && Array.isArray(filter.or)) return filter.or.some((each) => passesFilter(file, each));
  if ('not' in filter) return !passesFilter(file, filter.not as FileFilter);
  const [[field, comparisons] = ['', {}]] = Object.entries(filter);
  return compare(valueOf(file, field), comparisons as Comparisons, field);
}

/** The keys of metadata that a filter names. */
export function metadataKeysOf(filter: FileFilter): string[] {
  const [[name, value] = ['', null]] = Object.entries(filter);
  if (name === 'and' || name === 'or') return (value as FileFilter[]).flatMap(metadataKeysOf);
  if (name === 'not') return metadataKeysOf(value as FileFilter);
  return name.startsWith('metadata.') ? [name.slice('metadata.'.length)] : [];
}

function valueOf(file: FilteredFields, field: string): string | null {
  if (field.startsWith('metadata.')) {
    const key = field.slice('metadata.'.length);
    return Object.hasOwn(file.metadata, key) ? (file.metadata[key] ?? null) : null;
  }
  if (field === 'content_type') return file.content_type === null ? null : mediaTypeOf(file.content_type);
  return file[field as 'space' | 'file_id' | 'external_id' | 'created_at' | 'status'];
}

/** Without parameters such as the charset. */
const mediaTypeOf = (contentType: string) => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

function compare(value: string | null, comparisons: Comparisons, field: string): boolean {
  const { exists, eq, in: values, gt, gte, lt, lte } = comparisons;
  if (exists !== undefined && exists !== (value !== null)) return false;
  const isCompared = [eq, values, gt, gte, lt, lte].some((each) => each !== undefined);
  if (value === null) return !isCompared;
  const equals = (sought: string | number) => isEqual(value, sought, field);
  if (eq !== undefined && !equals(eq)) return false;
  if (values && !values.some(equals)) return false;
  return (
    isOrdered(value, gt, (order) => order > 0) &&
    isOrdered(value, gte, (order) => order >= 0) &&
    isOrdered(value, lt, (order) => order < 0) &&
    isOrdered(value, lte, (order) => order <= 0)
  );
}

function isEqual(value: string, sought: string | number, field: string): boolean {
  if (typeof sought === 'number') return numberOf(value) === sought;
  if (field === 'created_at') return dateOf(value) === dateOf(sought);
  return value === (field === 'content_type' ? mediaTypeOf(sought) : sought);
}

function isOrdered(value: string, bound: string | number | undefined, holds: (order: number) => boolean): boolean {
  if (bound === undefined) return true;
  const number = typeof bound === 'number' ? bound : numberOf(bound);
  const [own, other] = number === null ? [dateOf(value), dateOf(String(bound))] : [numberOf(value), number];
  return own !== null && other !== null && holds(own - other);
}
