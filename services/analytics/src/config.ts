import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({ ...processVariables, ...databaseVariables });

export type AnalyticsConfig = Readonly<z.output<typeof variables>>;

export const loadAnalyticsConfig = (): AnalyticsConfig => loadConfig(variables, process.env);
