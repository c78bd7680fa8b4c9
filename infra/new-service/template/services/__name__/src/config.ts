import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({ ...processVariables, ...databaseVariables });

export type __Name__Config = Readonly<z.output<typeof variables>>;

export const load__Name__Config = (): __Name__Config => loadConfig(variables, process.env);
