import { z } from 'zod';
import { loadConfig, processVariables } from '../config/load-config.js';

const { NATS_URL, KILN_BUS_NAMESPACE, KILN_LOG_LEVEL } = processVariables;

export const loadDeadLettersConfig = () =>
  loadConfig(z.object({ NATS_URL, KILN_BUS_NAMESPACE, KILN_LOG_LEVEL }), process.env);
