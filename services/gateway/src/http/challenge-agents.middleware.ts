// Tells an MCP client that sent no valid credentials where it finds the issuer of bearer tokens (RFC 9728, section 5.1).
import { bearerChallenge, RESOURCE_PATH } from '../mcp/protected-resource.domain.js';
import type { ErrorRequestHandler } from 'express';
import type { GatewayServices } from '../services.port.js';
import { codedErrorOf } from './errors.middleware.js';
import { ownAddress } from './own-address.http.js';

type Addresses = Pick<GatewayServices, 'bearerIssuer' | 'publicUrl'>;

export function challengeAgents({ bearerIssuer, publicUrl }: Addresses): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const isChallenged = bearerIssuer !== undefined && request.path === RESOURCE_PATH && !response.headersSent;
    if (isChallenged && codedErrorOf(thrown).status === 401) {
      response.setHeader('WWW-Authenticate', bearerChallenge(ownAddress(request, publicUrl)));
    }
    next(thrown);
  };
}
