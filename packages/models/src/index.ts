export { addModel } from './add-model.js';
export { installedModels, type InstalledModel } from './installed-models.js';
export { MODEL_KINDS, type ModelKind } from './model-manifest.js';
