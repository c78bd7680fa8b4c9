// Which extraction provider an organization's files go to, where that differs from the default by content type.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { providerSchema } from '../files/schemas.js';

export const ROUTING_RULES_MAX = 100;

/** An exact media type, or the beginning of some with `*` at the end. The case of media types does not matter. */
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
      .meta({ description: 'in any order: an exact type wins over wildcards, a longer wildcard over a shorter one' }),
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

/** Asked in the name of the organization's live plane: rules hold for both. */
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
