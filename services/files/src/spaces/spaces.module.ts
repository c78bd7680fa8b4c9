import { Module } from '@nestjs/common';
import { ReadSpaces } from './read-spaces.usecase.js';
import { SpaceStore } from './space.store.js';
import { SpacesController } from './spaces.controller.js';

/** Lists spaces and their counts. The `deletion` feature deletes them. */
@Module({ controllers: [SpacesController], providers: [SpaceStore, ReadSpaces] })
export class SpacesModule {}
