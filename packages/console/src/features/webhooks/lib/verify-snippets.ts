// Programs that verify the signature of one delivery. The secret is read from the environment, and never part of the text.

export const snippetLanguages = ['typescript', 'python'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export const languageNames: Readonly<Record<SnippetLanguage, string>> = { typescript: 'TypeScript', python: 'Python' };

interface Sent {
  eventId: string;
  payload: Readonly<Record<string, unknown>>;
}

/** The bytes that were signed: payloads are serialized without blanks. */
export const bodyOf = (payload: Sent['payload']): string => JSON.stringify(payload);

/** The API does not keep these headers: they differ with each attempt. */
const headersOf = (eventId: string): string =>
  [
    `  "webhook-id": ${JSON.stringify(eventId)},`,
    '  "webhook-timestamp": "<from the request that you received>",',
    '  "webhook-signature": "<from the request that you received>",',
  ].join('\n');

export const verifySnippets: Readonly<Record<SnippetLanguage, (sent: Sent) => string>> = {
  typescript: ({ eventId, payload }) => `import { verifyWebhook } from "@kiln/sdk/webhooks";

// The body as it arrived, before it is parsed.
const body = ${JSON.stringify(bodyOf(payload))};
const headers = {
${headersOf(eventId)}
};

// Throws WebhookVerificationError.
const event = verifyWebhook({ body, headers, secret: process.env.KILN_WEBHOOK_SECRET! });
console.log(event.type);
`,
  // A JSON string is a Python string as well.
  python: ({ eventId, payload }) => `import os

from kiln.webhooks import verify_webhook

# The body as it arrived, before it is parsed.
body = ${JSON.stringify(bodyOf(payload))}
headers = {
${headersOf(eventId)}
}

# Raises WebhookVerificationError.
event = verify_webhook(body=body, headers=headers, secret=os.environ["KILN_WEBHOOK_SECRET"])
print(event.type)
`,
};
