// The settings of operator commands: the database, and optionally Redis, to revoke a key.
import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';
import { checkRedisVariables, redisVariables } from '../redis/redis-sentinels.config.js';

const { KILN_BUS_NAMESPACE } = processVariables;

export const loadCliConfig = () => loadConfig(z.object(databaseVariables), process.env);

const revocationSchema = z
  .object({ ...redisVariables, REDIS_URL: redisVariables.REDIS_URL.optional(), KILN_BUS_NAMESPACE })
  .superRefine(checkRedisVariables);

export const loadRevocationConfig = () => loadConfig(revocationSchema, process.env);
