// Registers the route table in Express: each row gets its stack of steps, and each known path answers 405 to other methods.
import { liveTenantOf, notFound, parseInput } from '@kiln/contracts';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Admission } from '../auth/admission.service.js';
import type { Caller } from '../auth/caller.domain.js';
import type { Idempotency } from '../idempotency/idempotency.service.js';
import { idempotentRequest, keyOf, type ReadRequest } from '../idempotency/idempotent-request.http.js';
import { RequestIds } from '../idempotency/request-ids.domain.js';
import { Reply } from '../routes/reply.domain.js';
import type { Method, Route } from '../routes/kinds.route.js';
import { successOf } from '../routes/row-facts.domain.js';
import type { GatewayServices } from '../services.port.js';
import { contextOf, timeoutOf } from './call-context.http.js';
import { admit } from './admit.http.js';
import { methodNotAllowed } from './errors.middleware.js';
import { followUp } from './follow-up.http.js';
import { nextLinkOf } from './next-link.http.js';
import { readQuery } from './query.http.js';
import { stateOf } from './request-state.http.js';
import type { RunningRequests } from './running-requests.service.js';
import { sendEvents } from './send-events.http.js';
import { JsonText, sendJson } from './send-json.http.js';
import { sendObject } from './send-object.http.js';
import { performWeighed, performWithoutBody, type Limits, type RouteWithBody } from './weighed-request.http.js';

/** The principal of calls for public rows. */
const GATEWAY_PRINCIPAL = 'gateway';
/** Whose share of memory and work the bodies of public rows take. */
const NO_TENANT = 'none';

export interface RegisterOptions extends Limits {
  admission: Admission;
  idempotency: Idempotency;
  services: GatewayServices;
  running: RunningRequests;
  publicUrl: string | undefined;
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
    const link = nextLinkOf(answer, { request, url: request.originalUrl, publicUrl: options.publicUrl });
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
  const caller = await admit(route, request, response, options.admission);
  const key = keyOf(route, request, caller);
  const admitted = { route, request, response, caller, key };
  const answer = await answerWithin(admitted, options);
  return followUp(answer, admitted, options.services);
}

/** Answers the request, within the memory for uploads if it is one. */
async function answerWithin(admitted: AdmittedRequest, options: RegisterOptions): Promise<unknown> {
  const { route, request, caller } = admitted;
  if (!caller || !isMultipart(route, request)) return answerTo(admitted, options);
  const memory = options.services.uploadMemory.hold(liveTenantOf(caller.tenantId), request);
  stateOf(request).memory = memory;
  try {
    return await answerTo(admitted, options);
  } finally {
    memory.release();
  }
}

interface AdmittedRequest {
  route: Route;
  request: Request;
  response: Response;
  caller: Caller | null;
  key: string | null;
}

async function answerTo(admitted: AdmittedRequest, options: RegisterOptions): Promise<unknown> {
  const { route, request, caller } = admitted;
  const params = readParams(route, request);
  const query = route.query ? parseInput(route.query, readQuery(request.originalUrl)) : {};
  const perform = (body: unknown) => performRead(admitted, { request, caller, params, query, body }, options);
  if (isMultipart(route, request)) return perform(undefined);
  // An organization has one share, for its live and its test data. All callers without credentials have one together.
  const weighed = { request, tenantId: caller ? liveTenantOf(caller.tenantId) : NO_TENANT, query };
  if (hasJsonBody(route, request)) return performWeighed({ ...weighed, route }, options, perform);
  if (!caller) return perform(undefined);
  return performWithoutBody({ ...weighed, route }, options, () => perform(undefined));
}

function performRead(
  { route, response, caller, key }: AdmittedRequest,
  read: ReadRequest,
  options: RegisterOptions,
): Promise<unknown> {
  const { services, idempotency } = options;
  if (key === null || caller === null) return run(route, read, { ids: new RequestIds(), services });
  const { uploadBytesMax } = services;
  const work = { response, uploadBytesMax, run: (ids: RequestIds) => run(route, read, { ids, services }) };
  return idempotency.answer(idempotentRequest({ key, caller, route }, read, work));
}

function readParams(route: Route, request: Request): Record<string, unknown> {
  if (!route.params) return {};
  const result = route.params.safeParse(request.params);
  if (!result.success) throw notFound();
  return result.data;
}

function isMultipart(route: Route, request: Request): boolean {
  const mayBe = route.stack === 'key' && route.operation === undefined && route.multipart !== undefined;
  return mayBe && request.is('multipart/form-data') !== false;
}

const hasJsonBody = (route: Route, request: Request): route is RouteWithBody =>
  route.body !== undefined && !isMultipart(route, request);

async function run(
  route: Route,
  read: ReadRequest,
  { ids, services }: { ids: RequestIds; services: GatewayServices },
): Promise<unknown> {
  const { request, caller, params, query, body } = read;
  const timeoutMs = timeoutOf(route);
  if (route.stack === 'public') {
    const contextFor = (tenantId: string) => contextOf(request, { tenantId, principal: GATEWAY_PRINCIPAL }, timeoutMs);
    return route.handler({ params, query, body, contextFor, http: request }, services);
  }
  if (!caller) throw new Error(`${route.name} was reached without a caller`);
  if (route.stack === 'shared') {
    const context = contextOf(request, caller, timeoutMs);
    return route.handler({ params, query, body, caller, context, http: request }, services);
  }
  if (route.stack === 'portal') {
    if (caller.authType !== 'portal_token') throw new Error(`${route.name} was reached without a portal token`);
    const context = contextOf(request, caller, timeoutMs);
    return route.handler({ params, query, body, caller, context, space: caller.space, http: request }, services);
  }
  if (caller.authType === 'portal_token') throw new Error(`${route.name} was reached with a portal token`);
  const tenantId = route.ofOrganization ? caller.liveTenantId : caller.tenantId;
  const context = contextOf(request, { ...caller, tenantId }, timeoutMs);
  const routed = { params, query, body, caller, context, ids, http: request };
  if (route.operation) {
    return new JsonText(await services.rpc.callForText(route.operation, route.input(routed, services), context));
  }
  return route.handler(routed, services);
}

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
