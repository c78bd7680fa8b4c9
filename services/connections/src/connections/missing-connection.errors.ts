import { notFound } from '@kiln/contracts';

export const missingConnection = () => notFound('No connection has this id.');
