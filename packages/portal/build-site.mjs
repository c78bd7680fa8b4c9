import { buildSite } from '../../infra/dev/build-site.mjs';

await buildSite({
  folder: import.meta.dirname,
  otherInputs: ['../console/src/api', '../console/src/ui', '../console/package.json'],
  importVite: () => import('vite'),
});
