// Writes the types of the events: what webhooks receive, and what the stream of events returns.
import { componentOf, type OpenApi } from './open-api.js';

/** The request to own extractors is in the document as a webhook, but is no event. */
export const NO_EVENT = 'extraction.requested';

export function eventsFile({ webhooks = {} }: OpenApi): string {
  const types = Object.entries(webhooks).filter(([type]) => type !== NO_EVENT);
  return [
    `import type { Schemas } from '../core/operation-types.js';`,
    '',
    '/** The body of each type of event. */',
    'export interface EventsByType {',
    ...types.map(([type, { post }]) => {
      const body = post.requestBody?.content['application/json'];
      return `'${type}': Schemas['${componentOf(body?.schema, type)}'];`;
    }),
    '}',
    '',
    'export type EventType = keyof EventsByType;',
    '',
    '/** An event of any type. Later versions of Kiln send more types: ignore what you do not know. */',
    'export type KilnEvent = EventsByType[EventType];',
  ].join('\n');
}
