// Which sites may embed the portal of an organization.
import { z } from 'zod';

const FRAME_ANCESTORS_MAX = 20;
const ORIGIN_CHARACTERS_MAX = 253;

/** Only characters that a `Content-Security-Policy` takes as part of a host (https://www.w3.org/TR/CSP3/#grammardef-host-source). */
const HOST = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*';
const ORIGIN = new RegExp(`^https?://${HOST}(?::[0-9]{1,5})?$`);
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1'];

/** Exactly as browsers write the origin of a page: without a path, and without the port that is the scheme's own. */
function isFrameAncestor(text: string): boolean {
  const url = ORIGIN.test(text) ? URL.parse(text) : null;
  return url !== null && url.origin === text && (url.protocol === 'https:' || LOOPBACK_HOSTS.includes(url.hostname));
}

const originSchema = z.string().max(ORIGIN_CHARACTERS_MAX).toLowerCase().refine(isFrameAncestor, {
  error: 'must be an origin such as https://app.example.com, without a path; http is for localhost and 127.0.0.1 only',
});

export const portalSettingsSchema = z.object({
  frame_ancestors: z
    .array(originSchema)
    .max(FRAME_ANCESTORS_MAX, { error: `must be at most ${FRAME_ANCESTORS_MAX} origins` })
    .meta({
      description: 'The origins whose pages may show the portal in a frame. While the list is empty, none may.',
      examples: [['https://app.example.com']],
    }),
});

export type PortalSettings = z.output<typeof portalSettingsSchema>;

/** Omitted fields keep their values. */
export const portalSettingsChangesSchema = portalSettingsSchema.partial();
