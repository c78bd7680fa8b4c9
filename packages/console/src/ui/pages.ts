// The pages of a file: whether it has any, and how many.
import type { Schemas } from '@kiln/sdk';

/** The maximum number of pages of a document that Kiln reads. */
export const PAGES_MAX = 10_000;

/** Whether there are images of its pages. */
export const hasPages = ({ content_type: type, status }: Pick<Schemas['File'], 'content_type' | 'status'>): boolean =>
  status !== 'uploading' &&
  type !== null &&
  (type === 'application/pdf' || (type.startsWith('image/') && !type.startsWith('image/svg')));

/** From the content of the variant `metadata`. Null if it has no count, or an impossible one. */
export function pageCountOf(properties: Readonly<Record<string, unknown>> | null): number | null {
  const count = properties?.['page_count'];
  return typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= PAGES_MAX ? count : null;
}

/** The content of the variant `metadata`. Null if it is not an object. */
export function propertiesOf(content: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(content ?? 'null');
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
