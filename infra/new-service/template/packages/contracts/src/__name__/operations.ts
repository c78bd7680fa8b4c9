import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { new__Noun__Schema, __noun__ListSchema, __noun__QuerySchema, __noun__Schema } from './schemas.js';

const idInput = z.object({ id: idSchema('__noun__') });

/** The operations of the __name__ service. */
export const __name__Operations = {
  create__Noun__: operation({
    subject: '__name__.create__Noun__.v1',
    input: new__Noun__Schema.extend({
      id: idSchema('__noun__').meta({ description: 'made by the caller, so that a repeat is recognised' }),
    }),
    output: __noun__Schema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  get__Noun__: operation({
    subject: '__name__.get__Noun__.v1',
    input: idInput,
    output: __noun__Schema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Newest first. */
  list__Noun__s: operation({
    subject: '__name__.list__Noun__s.v1',
    input: __noun__QuerySchema,
    output: __noun__ListSchema,
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};

type __Name__Operations = typeof __name__Operations;
export type __Name__Input<Name extends keyof __Name__Operations> = OperationInput<__Name__Operations[Name]>;
export type __Name__Output<Name extends keyof __Name__Operations> = OperationOutput<__Name__Operations[Name]>;
