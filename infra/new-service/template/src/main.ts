import { __name__Operations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { load__Name__Config } from './config.js';
import { __Name__Module } from './__name__.module.js';

startOrExit(() =>
  runService({
    name: '__name__',
    loadConfig: load__Name__Config,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: () => Object.values(__name__Operations),
    module: () => __Name__Module.with(),
  }),
);
