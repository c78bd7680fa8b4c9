// The headers of every response. The API returns data only, so nothing may be executed, framed or sniffed.
import type { RequestStep } from './request-steps.middleware.js';

const YEAR_SECONDS = 31_536_000;

/** HSTS is sent only if the public address is https: behind plain http it would lock callers out. */
export function securityHeaders(publicUrl: string | undefined): RequestStep {
  const headers: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  if (publicUrl?.startsWith('https:')) headers['Strict-Transport-Security'] = `max-age=${YEAR_SECONDS}`;
  const all = Object.entries(headers);
  return (_request, response) => {
    for (const [name, value] of all) response.setHeader(name, value);
  };
}
