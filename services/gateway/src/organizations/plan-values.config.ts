// Settings that have a value for each plan: `<plan>=<value>,…`.
import { z } from 'zod';
import { plans, type Plan } from './plan.domain.js';

/**
 * Reads the values of the plans that the operator names. `value` is the schema of the parts of a value, which `:` separates. `form`
 * describes an entry in the message for one of another form.
 */
export const planValuesSchema = <Value>(form: string, value: z.ZodType<Value>) =>
  z.string().transform((text, context) => {
    const values: Partial<Record<Plan, Value>> = {};
    for (const part of text.split(',').filter((part) => part.trim() !== '')) {
      const [name, ...parts] = part.trim().split(/[=:]/);
      const [plan, read] = [z.enum(plans).safeParse(name), value.safeParse(parts)];
      if (plan.success && read.success) values[plan.data] = read.data;
      else context.addIssue({ code: 'custom', message: `must read ${form} with plans ${plans.join(', ')}` });
    }
    return values;
  });
