import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';

export const apiKeysKey = ['api-keys'];

export const keysQuery = (kiln: Kiln) =>
  infiniteQueryOptions({
    queryKey: apiKeysKey,
    ...cursorPages((cursor, options) => kiln.apiKeys.list({ limit: 100, ...cursor }, options)),
  });
