// Routing rules: the extraction provider by content type, where it differs from the default.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { providerSchema } from '../files/schemas.js';

const ROUTING_RULES_MAX = 100;

/** An exact media type, or a prefix followed by `*`. Case-insensitive. */
const patternSchema = z
  .string()
  .max(255)
  .toLowerCase()
  .regex(/^(?:\*\/\*|[\w.+-]+\/(?:[\w.+-]+|[\w.+-]*\*))$/, {
    error: 'must be a media type without parameters such as application/pdf, or a wildcard such as image/*',
  })
  .meta({ examples: ['image/*'] });

export const routingRuleSchema = z.object({ content_type: patternSchema, provider: providerSchema });

export type RoutingRule = z.output<typeof routingRuleSchema>;

export const routingRulesSchema = z
  .object({
    rules: z
      .array(routingRuleSchema)
      .max(ROUTING_RULES_MAX, { error: `must hold at most ${ROUTING_RULES_MAX} rules` })
      .meta({
        description:
          'The order does not matter. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.',
      }),
  })
  .superRefine(({ rules }, context) => {
    const first = new Map<string, number>();
    for (const [index, { content_type: type }] of rules.entries()) {
      const before = first.get(type);
      if (before === undefined) first.set(type, index);
      else {
        const message = `${type} has a rule already, rules[${before}]; give each type one`;
        context.addIssue({ code: 'custom', path: ['rules', index, 'content_type'], message });
      }
    }
  });

/** Called for the live tenant of the organization; rules apply to both modes. */
export const routingRulesOperations = {
  getRoutingRules: operation({
    subject: 'jobs.getRoutingRules.v1',
    input: z.object({}),
    output: routingRulesSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Replaces all rules. */
  setRoutingRules: operation({
    subject: 'jobs.setRoutingRules.v1',
    input: routingRulesSchema,
    output: routingRulesSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
