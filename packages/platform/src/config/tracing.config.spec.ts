import { describe, expect, it } from '@jest/globals';
import { loadTracingConfig } from './tracing.config.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('whether traces are exported', () => {
  it('is on as soon as an endpoint is set, by default in protobuf', () => {
    expect(loadTracingConfig({})).toBeNull();
    expect(loadTracingConfig(ENDPOINT)).toStrictEqual({ protocol: 'http/protobuf', headers: '' });
    const ofTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' };
    expect(loadTracingConfig(ofTraces)).toStrictEqual({ protocol: 'http/protobuf', headers: '' });
  });

  it('is off if the standard variables disable the SDK or its exporter', () => {
    expect(loadTracingConfig({ ...ENDPOINT, OTEL_SDK_DISABLED: 'True' })).toBeNull();
    expect(loadTracingConfig({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  });

  it('reads headers, which may hold a token, from variables or files', () => {
    const given = { OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' };
    expect(loadTracingConfig({ ...ENDPOINT, ...given })).toMatchObject({ headers: 'a=1,b=2' });
    const missing = () => loadTracingConfig({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere' });
    expect(missing).toThrow(/OTEL_EXPORTER_OTLP_HEADERS_FILE: the file cannot be read/);
  });

  it('prefers the protocol for traces to the general one', () => {
    const given = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' };
    expect(loadTracingConfig({ ...ENDPOINT, ...given })).toMatchObject({ protocol: 'http/json' });
  });

  it('rejects an unsupported value in one message that names the variable', () => {
    const wrong = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(() => loadTracingConfig(wrong)).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf or http\/json/);
  });
});
