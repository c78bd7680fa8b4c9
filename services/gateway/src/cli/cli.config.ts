// The settings of operator commands: the database, and optionally Redis, to revoke a key.
import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';
import { redisUrlVariable } from '../redis/redis-address.config.js';

const { KILN_BUS_NAMESPACE } = processVariables;

export const loadCliConfig = () => loadConfig(z.object(databaseVariables), process.env);

export const loadRevocationConfig = () =>
  loadConfig(z.object({ REDIS_URL: redisUrlVariable.optional(), KILN_BUS_NAMESPACE }), process.env);
