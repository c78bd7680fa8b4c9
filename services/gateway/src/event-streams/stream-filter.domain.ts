// Which events a stream sends.
import type { EventStreamQuery } from '@kiln/contracts';
import type { StreamedEvent } from './streamed-event.domain.js';

export interface StreamFilter {
  /** Null: all. */
  types: ReadonlySet<string> | null;
  /** The values that members of the data must have. An event without the member does not pass. */
  members: readonly (readonly [name: 'space' | 'file_id' | 'job_id', value: string])[];
}

/** `portalSpace` is the only space that the caller may see. Null: all. */
export function filterOf(
  { types, space, file_id, job_id }: EventStreamQuery,
  portalSpace: string | null,
): StreamFilter {
  const wanted = [
    ['space', portalSpace],
    ['space', space],
    ['file_id', file_id],
    ['job_id', job_id],
  ] as const;
  const members = wanted.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return { types: types ? new Set(types) : null, members };
}

export const passes = (
  { types, members }: StreamFilter,
  { type, data }: Pick<StreamedEvent, 'type' | 'data'>,
): boolean => (types === null || types.has(type)) && members.every(([name, value]) => data[name] === value);
