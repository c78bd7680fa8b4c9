import { Module } from '@nestjs/common';
import { AbortParts } from './abort-parts.usecase.js';
import { PartUploadStore } from './part-upload.store.js';

/** Uploads in parts, for the features that end them. */
@Module({ providers: [PartUploadStore, AbortParts], exports: [PartUploadStore, AbortParts] })
export class PartUploadsModule {}
