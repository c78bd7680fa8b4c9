// What a Nest service needs beside the platform's index: kept apart, since loading Nest costs time and memory.
export * from './bus/bus-server.js';
export * from './bus/operation.decorator.js';
export * from './events/on-event.decorator.js';
export * from './service/platform.module.js';
export * from './service/run-service.js';
