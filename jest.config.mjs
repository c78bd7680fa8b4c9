// Jest runs what tsc has compiled: the specs in the dist folders. See docs/adr/0004.
import { availableParallelism } from 'node:os';
import { leftoverSpecs, randomSpecs } from './infra/dev/dist/jest/compiled-specs.js';
import { hasOwnSeed } from './infra/dev/dist/jest/seed.config.js';

const jest = (name) => `<rootDir>/infra/dev/dist/jest/${name}.js`;
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const project = (displayName, rest) => ({
  displayName,
  transform: {},
  testPathIgnorePatterns: leftoverSpecs(import.meta.dirname).map(literally),
  testEnvironment: jest('environment'),
  testRunner: jest('runner'),
  ...rest,
});
// Specs that take their data from the seed run again if the run has its own.
const seeded = hasOwnSeed() ? randomSpecs(import.meta.dirname).seeded.map(literally) : [];
const code = ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/infra', '<rootDir>/bench'];

export default {
  // Many specs wait for processes that they started: one more worker than cores keeps the cores busy.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 180_000,
  // A worker that has grown beyond this part of the memory is replaced: modules of finished files are not always given back.
  workerIdleMemoryLimit: '10%',
  watchman: false,
  testSequencer: jest('sequencer'),
  reporters: [jest('reporter')],
  projects: [
    project('unit', {
      roots: code,
      testRegex: ['/dist/.*(?<!\\.int|\\.stress)\\.spec\\.js$'],
    }),
    project('integration', {
      roots: code,
      testRegex: ['/dist/.*\\.int\\.spec\\.js$'],
      globalSetup: jest('integration-setup'),
      globalTeardown: jest('integration-teardown'),
    }),
    project('stress', {
      roots: [...code, '<rootDir>/acceptance'],
      testRegex: ['/dist/.*\\.stress\\.spec\\.js$', ...seeded],
      globalSetup: jest('integration-setup'),
      globalTeardown: jest('integration-teardown'),
    }),
    project('acceptance', {
      roots: ['<rootDir>/acceptance'],
      testRegex: ['/dist/.*(?<!\\.stress)\\.spec\\.js$'],
      globalSetup: jest('acceptance-setup'),
      globalTeardown: jest('acceptance-teardown'),
    }),
  ],
};
