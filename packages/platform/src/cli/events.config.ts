import { z } from 'zod';
import { databaseVariables, loadConfig } from '../config/load-config.js';

const { DATABASE_URL } = databaseVariables;

export const loadEventsConfig = () => loadConfig(z.object({ DATABASE_URL }), process.env);
