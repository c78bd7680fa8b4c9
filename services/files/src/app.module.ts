// The files service: its features, and what all of them may inject.
import { HealthServer } from '@kiln/platform';
import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Global, Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { BatchesModule } from './batches/batches.module.js';
import { ChangesModule } from './changes/changes.module.js';
import {
  FILES_CONFIG,
  OBJECT_STORE,
  PART_UPLOAD_SECONDS,
  SIGNED_URL_SECONDS,
  UPLOAD_BYTES_MAX,
  type FilesConfig,
} from './config.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { DeletionModule } from './deletion/deletion.module.js';
import { FilesModule } from './files/files.module.js';
import { OrphansModule } from './orphans/orphans.module.js';
import { PageImagesModule } from './page-images/page-images.module.js';
import { PartsModule } from './parts/parts.module.js';
import { ProcessingModule } from './processing/processing.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { SpacesModule } from './spaces/spaces.module.js';
import { UpdatesModule } from './updates/updates.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { VariantsModule } from './variants/variants.module.js';

/** The configuration, and the object store that it names. */
@Global()
@Module({})
class SettingsModule implements OnModuleInit {
  constructor(
    private readonly health: HealthServer,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
  ) {}

  static with(config: FilesConfig): DynamicModule {
    const providers = [
      { provide: FILES_CONFIG, useValue: config },
      { provide: SIGNED_URL_SECONDS, useValue: config.KILN_SIGNED_URL_SECONDS },
      { provide: PART_UPLOAD_SECONDS, useValue: config.KILN_PART_UPLOAD_HOURS * 3_600 },
      { provide: UPLOAD_BYTES_MAX, useValue: config.KILN_MAX_UPLOAD_BYTES },
      { provide: OBJECT_STORE, useFactory: () => openObjectStore(config) },
    ];
    return { module: SettingsModule, providers, exports: providers };
  }

  onModuleInit(): void {
    this.health.addCheck('storage', 'reported', () => this.objects.ping());
  }
}

@Module({})
export class AppModule {
  static with(config: FilesConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(config),
        UploadsModule,
        PartsModule,
        FilesModule,
        UpdatesModule,
        SpacesModule,
        BatchesModule,
        VariantsModule,
        SourcesModule,
        PageImagesModule,
        ProcessingModule,
        RunsModule,
        DeletionModule,
        OrphansModule,
        ChangesModule,
        ConnectionsModule,
      ],
    };
  }
}
