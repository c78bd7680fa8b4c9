// The configuration of operator commands: the bus.
import { loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const { NATS_URL, KILN_BUS_NAMESPACE, KILN_LOG_LEVEL } = processVariables;

export const loadCliConfig = () => loadConfig(z.object({ NATS_URL, KILN_BUS_NAMESPACE, KILN_LOG_LEVEL }), process.env);
