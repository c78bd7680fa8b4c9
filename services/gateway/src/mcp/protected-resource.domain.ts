// Metadata of /mcp as a protected resource (RFC 9728), by which MCP clients find the issuer of bearer tokens.
import { scopes } from '@kiln/contracts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
export const RESOURCE_PATH = '/mcp';
/** RFC 9728, section 3.1: the path of the resource follows the well-known one. */
export const METADATA_PATH = `${WELL_KNOWN}${RESOURCE_PATH}`;

export function protectedResource(address: string, issuer: string) {
  return {
    resource: `${address}${RESOURCE_PATH}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes.filter((scope) => scope !== '*'),
    resource_name: 'Kiln',
  };
}

/** RFC 9728, section 5.1. */
export const bearerChallenge = (address: string): string => `Bearer resource_metadata="${address}${METADATA_PATH}"`;
