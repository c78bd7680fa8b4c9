// Registers the route table in Express: each row gets its stack of steps, and each known path answers 405 to other methods.
import { notFound, parseInput, type CallContext, type Operation } from '@kiln/contracts';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Admission, AdmittedRequest } from '../auth/admission.http.js';
import type { Idempotency } from '../idempotency/idempotency.service.js';
import { idempotentRequest, keyOf } from '../idempotency/idempotent-request.http.js';
import { RequestIds } from '../idempotency/request-ids.domain.js';
import { Reply } from '../routes/reply.domain.js';
import type { Route } from '../routes/kinds.route.js';
import type { Method } from '../routes/row-base.route.js';
import { successOf } from '../routes/row-facts.domain.js';
import type { GatewayServices } from '../services.port.js';
import { contextOf } from './call-context.http.js';
import { methodNotAllowed } from './errors.middleware.js';
import { nextLinkOf } from './next-link.http.js';
import { readQuery } from './query.http.js';
import { stateOf } from './request-state.http.js';
import type { RunningRequests } from './running-requests.service.js';
import { sendEvents } from './send-events.http.js';
import { JsonText, sendJson } from './send-json.http.js';
import { sendObject } from './send-object.http.js';
import { performWeighed, type Limits } from './weighed-request.http.js';

/** The principal of calls for public rows. */
const GATEWAY_PRINCIPAL = 'gateway';

export interface RegisterOptions extends Limits {
  admission: Admission;
  idempotency: Idempotency;
  services: GatewayServices;
  running: RunningRequests;
}

export function registerRoutes(app: Express, routes: readonly Route[], options: RegisterOptions): void {
  const paths = new Set(routes.map((route) => route.path).toSorted(literalFirst));
  for (const path of paths) {
    const rows = routes.filter((route) => route.path === path);
    const all = app.route(path);
    for (const row of rows) all[nameOf(row.method)](serve(row, options));
    all.all(methodNotAllowed(rows.flatMap((row) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]))));
  }
}

const nameOf = (method: Method) => method.toLowerCase() as Lowercase<Method>;

/** `/v1/files/process-batch` comes before `/v1/files/:id`, which would match it as well. */
function literalFirst(a: string, b: string): number {
  const rank = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  return rank(a) < rank(b) ? -1 : 1;
}

function serve(route: Route, options: RegisterOptions): RequestHandler {
  return async (request, response) => {
    const state = stateOf(request);
    state.route = route;
    state.work = options.running.track(respond(route, request, response, options));
    await state.work;
  };
}

async function respond(route: Route, request: Request, response: Response, options: RegisterOptions): Promise<void> {
  const answer = await answerOf(route, request, response, options);
  const { events, object, stream, headers } = answer instanceof Reply ? answer.answer : {};
  if (events) await sendEvents(request, response, { events, logger: options.services.logger });
  else if (stream) await stream(response);
  else if (object) await sendObject(response, object, { headers });
  else {
    const link = nextLinkOf(answer, { request, url: request.originalUrl, publicUrl: options.services.publicUrl });
    if (link !== undefined && route.method === 'GET') response.setHeader('Link', link);
    send(route, response, answer);
  }
}

async function answerOf(
  route: Route,
  request: Request,
  response: Response,
  options: RegisterOptions,
): Promise<unknown> {
  const caller = await options.admission.admit(route, request, response);
  const key = keyOf(route, request, caller);
  const params = readParams(route, request);
  const query = route.query ? parseInput(route.query, readQuery(request.originalUrl)) : {};
  const admitted = { route, request, response, caller, key, params, query };
  const answer = await answerWithin(admitted, options);
  if (route.stack !== 'key' || !route.followUp || !caller || caller.authType === 'portal_token') return answer;
  const context = contextOf(admitted, caller);
  return route.followUp(answer, { query, caller, context, http: request }, options.services);
}

/** Answers the request within the memory for uploads if it is one, or else within the limits on its body and its work. */
async function answerWithin(admitted: AdmittedRequest, options: RegisterOptions): Promise<unknown> {
  const { route, request, caller } = admitted;
  const perform = (body: unknown) => performOnce(admitted, body, options);
  if (!isMultipart(route, request)) return performWeighed(admitted, options, perform);
  if (!caller) return perform(undefined);
  const memory = options.services.uploadMemory.hold(caller.tenantId, request);
  stateOf(request).memory = memory;
  try {
    return await perform(undefined);
  } finally {
    memory.release();
  }
}

function performOnce(admitted: AdmittedRequest, body: unknown, options: RegisterOptions): Promise<unknown> {
  const { services, idempotency } = options;
  const { key, caller } = admitted;
  const perform = (ids: RequestIds) => run(admitted, body, ids, services);
  if (key === null || caller === null) return perform(new RequestIds());
  return idempotency.answer(idempotentRequest({ ...admitted, key, caller }, body, services.uploadBytesMax, perform));
}

function readParams(route: Route, request: Request): Record<string, unknown> {
  if (!route.params) return {};
  const result = route.params.safeParse(request.params);
  if (!result.success) throw notFound();
  return result.data;
}

const isMultipart = (route: Route, request: Request): boolean =>
  route.stack === 'key' && route.multipart !== undefined && request.is('multipart/form-data') !== false;

async function run(
  admitted: AdmittedRequest,
  body: unknown,
  ids: RequestIds,
  services: GatewayServices,
): Promise<unknown> {
  const { route, request, caller, params, query } = admitted;
  const read = { params, query, body, http: request };
  if (route.stack === 'public') {
    const contextFor = (tenantId: string) => contextOf(admitted, { tenantId, principal: GATEWAY_PRINCIPAL });
    return route.handler({ ...read, contextFor }, services);
  }
  if (!caller) throw notAdmitted(route);
  if (route.stack === 'shared') {
    return route.handler({ ...read, caller, context: contextOf(admitted, caller), ids }, services);
  }
  if (route.stack === 'portal') {
    if (caller.authType !== 'portal_token') throw notAdmitted(route);
    const context = contextOf(admitted, caller);
    if (!route.operation) return route.handler({ ...read, caller, context, ids }, services);
    return forward(route.operation, { ...query, ...params, space: caller.space }, context, services);
  }
  if (caller.authType === 'portal_token') throw notAdmitted(route);
  const tenantId = route.ofOrganization ? caller.liveTenantId : caller.tenantId;
  const context = contextOf(admitted, { principal: caller.principal, tenantId });
  const routed = { ...read, caller, context, ids };
  if (!route.operation) return route.handler(routed, services);
  const input = route.input ? route.input(routed, services) : { ...query, ...(body as object | undefined), ...params };
  return forward(route.operation, input, context, services);
}

const notAdmitted = ({ name }: Route) => new Error(`${name} was reached by a caller that it does not admit`);

const forward = async (operation: Operation, input: unknown, context: CallContext, { rpc }: GatewayServices) =>
  new JsonText(await rpc.callForText(operation, input, context));

function send(route: Route, response: Response, answer: unknown): void {
  if (route.secret) response.setHeader('Cache-Control', 'no-store');
  if (!(answer instanceof Reply)) {
    sendJson(response, successOf(route), answer);
    return;
  }
  const { status, headers, json, text, file } = answer.answer;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.status(status ?? successOf(route));
  if (status === 304) return void response.end();
  if (file !== undefined) response.sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  else if (text !== undefined) response.send(text);
  else sendJson(response, response.statusCode, json);
}
