// Measures that the browser itself takes, as expressions that a page evaluates.

/** Milliseconds until the largest element was drawn (https://www.w3.org/TR/largest-contentful-paint/). */
export const LARGEST_ELEMENT = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`;

/** Bytes of the page and of its scripts and styles, as they were sent. A cached file counts with its size. */
export const TRANSFERRED = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.includes('/v1/'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

/** Begins to collect how long clicks and keys take until the next picture (https://www.w3.org/TR/event-timing/). */
export const OBSERVE_INTERACTIONS = `
  window.longestInteractionMs = 0;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) window.longestInteractionMs = Math.max(window.longestInteractionMs, duration);
  }).observe({ type: 'event', durationThreshold: 16 });`;

export const INTERACTIONS = 'window.longestInteractionMs';
