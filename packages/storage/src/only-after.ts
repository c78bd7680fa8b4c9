// `startAfter` for providers without it: Google's offset includes the key itself, and Azure has none.
import type { ObjectPage } from './object-store.port.js';

export function onlyAfter(page: ObjectPage, startAfter: string | undefined): ObjectPage {
  if (startAfter === undefined) return page;
  const bound = Buffer.from(startAfter);
  const isAfter = (key: string): boolean => Buffer.compare(Buffer.from(key), bound) > 0;
  return {
    objects: page.objects.filter(({ key }) => isAfter(key)),
    prefixes: page.prefixes.filter(isAfter),
    nextCursor: page.nextCursor,
  };
}
