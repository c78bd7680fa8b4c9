// The parts for Nest services. Separate from the index, because loading Nest takes memory and time.
export * from './bus/bus-server.js';
export * from './bus/operation.decorator.js';
export * from './events/on-event.decorator.js';
export * from './service/platform.module.js';
export * from './service/run-service.js';
