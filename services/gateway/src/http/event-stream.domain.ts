// Responses with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // nginx would collect the events (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering).
  'X-Accel-Buffering': 'no',
};
/** Proxies close connections that are silent for long, usually after 60 s. */
export const HEARTBEAT_MS = 15_000;
/** Clients ignore comments. */
export const HEARTBEAT = ': keep-alive\n\n';
