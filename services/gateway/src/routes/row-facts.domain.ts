// What follows from a row of the route table.
import type { Scope } from '@kiln/contracts';
import type { z } from 'zod';
import type { Route } from './kinds.route.js';

/** Every scope that a caller of the row must have. */
export function scopesOf(route: Route): readonly Scope[] {
  if (route.scope === null) return [];
  return [route.scope, ...(route.stack === 'key' ? (route.alsoNeeds ?? []) : [])];
}

/** Whether the row changes what the live data of the organization uses. Test credentials may not. */
export const changesLiveData = (route: Route): boolean =>
  route.stack === 'key' && route.ofOrganization === true && route.method !== 'GET' && route.checksMode !== true;

/** The output of the row's operation, or the response of its handler. */
export const responseSchemaOf = (route: Route): z.ZodType =>
  route.operation === undefined ? route.response : route.operation.output;

export const successOf = ({ success }: Route): number => success ?? 200;
